/** Formats by name, from their facts. */
import * as exportsOfGraupel from "graupel";
import { type FormatFacts, type FormatName, facts } from "graupel/facts";
import type { AnyFormat } from "./any-format.ts";

export { type FormatFacts, type FormatName, facts };

const EXPORTS: Readonly<Record<string, unknown>> = { ...exportsOfGraupel };

/** Every name, in the order of the facts. */
export const NAMES = Object.keys(facts) as readonly FormatName[];

/** The format of a name. `choices`: what the user declares, or the epoch for `withEpoch`. */
export function make(name: FormatName, choices: Readonly<Record<string, unknown>> = {}): AnyFormat {
  const { export: exported, declared, given } = facts[name];
  const value = EXPORTS[exported];
  if (declared) {
    return (value as (declaration: object) => AnyFormat)({ ...given, ...choices });
  }
  const format = value as AnyFormat & { withEpoch(epoch: unknown): AnyFormat };
  return "epoch" in choices ? format.withEpoch(choices.epoch) : format;
}
