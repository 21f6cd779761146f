/** The names of fields. Every page shows the format's own name for a field, as words. */

import { facts } from "graupel/facts";

/** The package's own names for fields. Those of a declared layout stay as the reader wrote them. */
const KNOWN = new Set(Object.values(facts).flatMap(({ fields }) => (fields ?? []).map(({ name }) => name)));

/** Names with another spelling in the documentation. */
const WRITTEN: Readonly<Record<string, string>> = { tickTock: "tick-tock" };

/**
 * Turns a name from code into words: "internalWorkerId" becomes "worker", and "sequenceData"
 * becomes "sequence data".
 */
export function plainName(name: string): string {
  if (!KNOWN.has(name)) return name;
  const plain = name
    .replace(/^internal/, "")
    .replace(/(?<=[a-z])Id$/, "")
    .replace(/(?<=[a-z])([A-Z])/g, " $1");
  return WRITTEN[name] ?? plain.toLowerCase();
}

/** The same name with a capital, for labels and the beginning of sentences. */
export const titleName = (name: string): string =>
  KNOWN.has(name) ? plainName(name).replace(/^./, (letter) => letter.toUpperCase()) : name;
