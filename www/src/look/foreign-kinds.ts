/** Derives the kind of a field in other families from its name. */
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
