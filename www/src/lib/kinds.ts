/** The kind of a field, which gives it its colour: the same as in the command line. */
import { type FieldKind, kindOf, kinds } from "../../../js/cli/kinds.ts";

export { type FieldKind, kindOf };

/** A kind in words. */
export const wordsOf = (kind: FieldKind): string => kinds[kind].words;
