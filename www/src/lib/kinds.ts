/** The kind of a field, which gives it its colour: the same as in the command line. */
import { facts } from "graupel/facts";
import { type Kind, kinds, kindsOf } from "../../../js/cli/kinds.ts";

export type { Kind };

/** A field that no format has identifies a machine. */
export const kindOf = kindsOf(facts);

/** A kind in words. */
export const wordsOf = (kind: Kind): string => kinds[kind].words;
