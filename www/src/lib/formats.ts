/** The formats, as the pages use them: whatever the type of their IDs. */
export type { AnyFormat, AnyGenerator, AnyId as Id } from "graupel";
