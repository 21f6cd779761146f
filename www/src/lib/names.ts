/** The names of fields on every page: the format's own name in words, and no other. */

import { facts } from "graupel/facts";

/** The names of a declared layout stay as they were written. */
const KNOWN = new Set(Object.values(facts).flatMap(({ fields }) => (fields ?? []).map(({ name }) => name)));

/** Names that documents write in another way. */
const WRITTEN: Readonly<Record<string, string>> = { tickTock: "tick-tock" };

/** A name of code in words: "internalWorkerId" is "worker", "sequenceData" is "sequence data". */
export function plainName(name: string): string {
  if (!KNOWN.has(name)) return name;
  const plain = name
    .replace(/^internal/, "")
    .replace(/(?<=[a-z])Id$/, "")
    .replace(/(?<=[a-z])([A-Z])/g, " $1");
  return WRITTEN[name] ?? plain.toLowerCase();
}

/** The same at the beginning of a label or a sentence. */
export const titleName = (name: string): string =>
  KNOWN.has(name) ? plainName(name).replace(/^./, (letter) => letter.toUpperCase()) : name;
