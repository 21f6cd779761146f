// The conditions that a crowd must meet.

/** Codes that a holder may get while it has no number or is cut off. */
const EXPECTED = new Set(["LEASE_FULL", "LEASE_LOST", "LEASE_STORE", "OUTSIDE_INTERVAL"]);

/** The count of numbers with the same datacenter. */
export const NUMBERS = 32;

/**
 * The times of a lease. etcd's clock only counts seconds. A database on a busy machine may take
 * longer than a third of two seconds, after which a lease retries.
 */
export const timesOf = (server) =>
  server === "redis" || server === "sqlite"
    ? { ttlMs: 2000, quarantineMs: 3000 }
    : { ttlMs: 6000, quarantineMs: 7000 };

/** The minimum number of IDs for a meaningful test. */
export const LEAST = 1000;

/**
 * The repeated IDs, the count of all IDs, and the newest one. `parts`: the IDs as 64-bit integers.
 */
export function repeatedAmong(parts) {
  const all = new BigUint64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  all.sort();
  const repeated = all.filter((id, i) => i > 0 && all[i - 1] === id);
  return { issued: all.length, newest: all.at(-1), repeated };
}

/**
 * Whether enough IDs were issued for the test and, if a mistake is planted, whether an ID was
 * issued twice.
 */
export const isEnough = ({ issued, repeated }, mistake) =>
  issued >= LEAST && (mistake === undefined || repeated.length > 0);

/** Throws if a crowd broke a condition. Returns a remark. */
export function judge({ issued, repeated, codes, note }) {
  if (repeated.length > 0)
    throw new Error(`${repeated.length} of ${issued} IDs are repeated, such as ${repeated[0]}`);
  if (issued < LEAST) throw new Error(`${issued} IDs are no test`);
  const strange = [...codes].filter((code) => !EXPECTED.has(code));
  if (strange.length > 0) throw new Error(`unexpected: ${strange.join("\n")}`);
  const met = [...codes].sort().join(", ") || "nothing";
  return [`${issued} IDs, none twice; refused with ${met}`, note].filter(Boolean).join("; ");
}

/** Formats milliseconds as seconds. */
export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** Throws if a planted mistake caused no duplicates. Returns a remark. */
export function planted({ issued, repeated }) {
  if (repeated.length === 0) throw new Error(`no duplicate in ${issued} IDs`);
  return `${repeated.length} duplicates`;
}
