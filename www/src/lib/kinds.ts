/** The kind of a field, which determines its colour, as in the command line. */
import { type FieldKind, kindOf, kinds } from "../../../js/cli/kinds.ts";

export { type FieldKind, kindOf };

/** The description of a kind. */
export const wordsOf = (kind: FieldKind): string => kinds[kind].words;
