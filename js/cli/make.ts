/** Makes formats from their facts. */
import type { AnyFormat } from "../any-format.js";
import type { FormatFacts } from "../facts.js";

/** Options by the package's names. */
export type Options = Readonly<Record<string, unknown>>;

/**
 * Returns a function that makes the formats of a package. The package checks the declaration. A
 * format without a declaration takes only an `epoch`.
 */
export function makerOf(exports: object) {
  const byName: Options = { ...exports };
  return ({ export: name, declared, given }: FormatFacts, options: Options = {}): AnyFormat => {
    if (declared) return (byName[name] as (declaration: object) => AnyFormat)({ ...given, ...options });
    const format = byName[name] as AnyFormat & { withEpoch(epoch: unknown): AnyFormat };
    return options.epoch === undefined ? format : format.withEpoch(options.epoch);
  };
}
