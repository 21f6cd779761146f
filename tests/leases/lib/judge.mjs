// What a crowd may do, and how long it may take.

/** Codes that a holder may meet when it is without a number, or cut off. */
const EXPECTED = new Set(["LEASE_FULL", "LEASE_LOST", "LEASE_STORE", "OUTSIDE_INTERVAL"]);

/** What a busy machine may take in addition, in milliseconds. */
export const SLACK_MS = 8000;

/** There are so many numbers with one datacenter. */
export const NUMBERS = 32;

/** etcd's clock has seconds only. */
export const TIMES = {
  redis: { ttlMs: 2000, quarantineMs: 3000 },
  etcd: { ttlMs: 5000, quarantineMs: 6000 },
  postgres: { ttlMs: 2000, quarantineMs: 3000 },
  mysql: { ttlMs: 2000, quarantineMs: 3000 },
  sqlite: { ttlMs: 2000, quarantineMs: 3000 },
  threads: { ttlMs: 2000, quarantineMs: 3000 },
};

/** Those that lose no write, whatever is said of them. */
const DURABLE = ["etcd", "sqlite", "threads"];

/** The longest until a number that nobody gives back is used again. What is free to take is asked for within a ttl. */
export function comesBackMs(server, isDurable = DURABLE.includes(server)) {
  const { ttlMs, quarantineMs } = TIMES[server];
  return (isDurable ? 2 * ttlMs : quarantineMs + 2 * ttlMs) + SLACK_MS;
}

/** IDs that are there more than once, and the number of all. `parts`: as 64-bit integers. */
export function repeatedAmong(parts) {
  const all = new BigUint64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  all.sort();
  return { issued: all.length, repeated: all.filter((id, i) => i > 0 && all[i - 1] === id) };
}

/** Refuses what a crowd may not do. Gives a remark. */
export function judge({ issued, repeated, codes }) {
  if (repeated.length > 0)
    throw new Error(`${repeated.length} of ${issued} IDs are repeated, such as ${repeated[0]}`);
  if (issued < 1000) throw new Error(`${issued} IDs are no test`);
  const strange = [...codes].filter((code) => !EXPECTED.has(code));
  if (strange.length > 0) throw new Error(`unexpected: ${strange.join("\n")}`);
  return `${issued} IDs, none twice; refused with ${[...codes].sort().join(", ") || "nothing"}`;
}

/** Seconds, in words. */
export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** There have to be duplicates, by a planted mistake. Gives a remark. */
export function planted({ issued, repeated }) {
  if (repeated.length === 0) throw new Error(`no duplicate in ${issued} IDs`);
  return `${repeated.length} duplicates`;
}
