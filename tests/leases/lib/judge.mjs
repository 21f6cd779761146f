// What a crowd may do.

/** Codes that a holder may meet when it is without a number, or cut off. */
const EXPECTED = new Set(["LEASE_FULL", "LEASE_LOST", "LEASE_STORE", "OUTSIDE_INTERVAL"]);

/** There are so many numbers with one datacenter. */
export const NUMBERS = 32;

/**
 * The times of a lease. etcd's clock has seconds only, and a database on a busy machine may take longer than a third of two seconds, after
 * which a lease asks again.
 */
export const timesOf = (server) =>
  server === "redis" || server === "sqlite"
    ? { ttlMs: 2000, quarantineMs: 3000 }
    : { ttlMs: 6000, quarantineMs: 7000 };

/** Fewer IDs are no test. */
export const LEAST = 1000;

/** IDs that are there more than once, the number of all, and the newest. `parts`: as 64-bit integers. */
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

/** Whether so many were issued that they are a test, and, with a mistake planted, one is there twice. */
export const isEnough = ({ issued, repeated }, mistake) =>
  issued >= LEAST && (mistake === undefined || repeated.length > 0);

/** Refuses what a crowd may not do. Gives a remark. */
export function judge({ issued, repeated, codes, note }) {
  if (repeated.length > 0)
    throw new Error(`${repeated.length} of ${issued} IDs are repeated, such as ${repeated[0]}`);
  if (issued < LEAST) throw new Error(`${issued} IDs are no test`);
  const strange = [...codes].filter((code) => !EXPECTED.has(code));
  if (strange.length > 0) throw new Error(`unexpected: ${strange.join("\n")}`);
  const met = [...codes].sort().join(", ") || "nothing";
  return [`${issued} IDs, none twice; refused with ${met}`, note].filter(Boolean).join("; ");
}

/** Seconds, in words. */
export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** There have to be duplicates, by a planted mistake. Gives a remark. */
export function planted({ issued, repeated }) {
  if (repeated.length === 0) throw new Error(`no duplicate in ${issued} IDs`);
  return `${repeated.length} duplicates`;
}
