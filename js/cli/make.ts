/** Making a format from its facts. */
import type { AnyFormat } from "../any-format.js";
import type { FormatFacts } from "../facts.js";

/** Options by the package's names. */
export type Options = Readonly<Record<string, unknown>>;

/** Makes formats of a package; the package checks what is declared. `epoch` is all that a format that is not declared takes. */
export function makerOf(exports: object) {
  const byName: Options = { ...exports };
  return ({ export: name, declared, given }: FormatFacts, options: Options = {}): AnyFormat => {
    if (declared) return (byName[name] as (declaration: object) => AnyFormat)({ ...given, ...options });
    const format = byName[name] as AnyFormat & { withEpoch(epoch: unknown): AnyFormat };
    return options.epoch === undefined ? format : format.withEpoch(options.epoch);
  };
}
