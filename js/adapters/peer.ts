/** Refusals of versions of the user's libraries. What is known to be wrong stands beside the adapter that meets it. */
import { refused } from "../refusals.js";

/**
 * Refuses a version of a library, or its lack of a function.
 *
 * @param entry The entry of this package, such as `graupel/zod`.
 * @param found The version, if the library shows it.
 * @param range The versions that work, as npm writes a range.
 * @param remedy What to do instead of installing one of these versions.
 */
export const refusePeer = (
  entry: string,
  peer: string,
  found: string | undefined,
  range: string,
  remedy = `npm install "${peer}@${range}"`,
): never =>
  refused(
    "PEER",
    peer,
    found,
    `${entry} works with ${peer} ${range}, found ${found ?? "a version without what it needs"}: ${remedy}`,
  );

/** The first two numbers of a version as one, so that 16.3.0 is 16003; of what is no version NaN, which is not below anything. */
export const versionNumber = (version: unknown): number => {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(String(version)) ?? [];
  return Number(major) * 1000 + Number(minor);
};
