/** The kinds of fields of other families, by what their names say. */
import type { FieldKind } from "../../../js/cli/kinds.ts";

const KINDS: readonly (readonly [RegExp, FieldKind])[] = [
  [/^time/, "time"],
  [/^(version|variant)$/, "unused"],
  [/sequence|counter/, "sequence"],
  [/random|payload|hash|bits/, "random"],
  [/^custom/, "user"],
];

/** All other fields distinguish machines. */
export const foreignKindOf = ({ name }: { readonly name: string }): FieldKind =>
  KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? "machine";
