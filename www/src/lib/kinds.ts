/** The kind of a field, which gives it its colour: the same as in the command line. */
import { type Kind, kindOf, kinds } from "../../../js/cli/kinds.ts";

export { type Kind, kindOf };

/** A kind in words. */
export const wordsOf = (kind: Kind): string => kinds[kind].words;
