/** Creates formats by name, from their facts. */
import * as graupel from "graupel";
import { type FormatFacts, type FormatName, facts } from "graupel/facts";
import { makerOf } from "../../../js/cli/make.ts";
import type { AnyFormat } from "./any-format.ts";

export { type FormatFacts, type FormatName, facts };

/** All names, in the order of the facts. */
export const NAMES = Object.keys(facts) as readonly FormatName[];

const made = makerOf(graupel);

/**
 * Creates a format by name. `choices` contains the user's declaration, or the epoch for
 * `withEpoch`.
 */
export const make = (name: FormatName, choices: Readonly<Record<string, unknown>> = {}): AnyFormat =>
  made(facts[name], choices) as unknown as AnyFormat;
