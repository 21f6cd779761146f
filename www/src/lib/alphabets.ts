/** The alphabets of `graupel/encode`, as screens name them. Its hexadecimal texts are the bytes. */
import type { Encoding } from "graupel/encode";

export type AlphabetName = "base 62" | "base 58" | "Crockford 32";

export interface Alphabet {
  readonly name: AlphabetName;
  readonly encoding: Encoding;
}

export const ALPHABETS: readonly Alphabet[] = [
  { name: "base 62", encoding: "base62" },
  { name: "base 58", encoding: "base58" },
  { name: "Crockford 32", encoding: "crockford32" },
];
