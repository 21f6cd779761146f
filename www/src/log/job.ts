/** The messages between the table and its worker. */
import type { Hint } from "../find/context.ts";
import type { Token } from "../find/token.ts";
import type { Texts } from "../lib/offered.ts";
import type { Arrangement, Shown, Summary } from "./rows.ts";

/** A message from the table. All but the first have a number, which the answer repeats. */
export type Order =
  | { readonly kind: "read"; readonly file: Blob; readonly own: Texts; readonly now: number }
  | { readonly kind: "arrange"; readonly number: number; readonly arrangement: Arrangement }
  | { readonly kind: "slice"; readonly number: number; readonly from: number; readonly to: number }
  | { readonly kind: "around"; readonly number: number; readonly index: number }
  | { readonly kind: "csv"; readonly number: number };

/** The text around an ID, the ID's position in that text, and the evidence from its neighbours. */
export interface Around {
  readonly piece: string;
  readonly token: Token;
  readonly hints: readonly Hint[];
}

export interface Progress {
  readonly summary: Summary;
  /** The share of the text that was read, from 0 to 1. */
  readonly read: number;
}

/** A message from the worker. */
export type Report =
  | ({ readonly kind: "progress" } & Progress)
  | { readonly kind: "failed"; readonly why: string }
  | {
      readonly kind: "answer";
      readonly number: number;
      readonly answer: Summary | readonly Shown[] | Around | Blob;
    };
