/** The names of fields, in words. */

/** A name of code in words: "internalWorkerId" is "worker", "sequenceData" is "sequence data". */
export const plainName = (name: string): string =>
  name
    .replace(/^internal/, "")
    .replace(/(?<=[a-z])Id$/, "")
    .replace(/(?<=[a-z])([A-Z])/g, " $1")
    .toLowerCase();
