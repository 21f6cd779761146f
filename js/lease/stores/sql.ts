/** What the stores in SQL databases share. */
import { fail, typeError } from "../../errors.js";
import type { Held } from "../types.js";

/** The name of the table, if nothing else is said. */
export const TABLE = "graupel_lease";

/** A row of any statement. Integers of 64 bits come as text, as a bigint or as a number, as drivers are set up. */
export type Row = Readonly<
  Record<"number" | "began" | "mark" | "now", unknown> & Record<"token" | "label", string>
>;

/** Checks a table's name, with or without a schema. */
export const tableOf = (table: string): string =>
  /^[a-z_]\w*(\.[a-z_]\w*)?$/i.test(table) ? table : typeError("table", table, "a table");

/**
 * An error of a database. One that no waiting mends, by its code or words, says so, and what to do about a missing table, the first group of
 * `hopeless`, or a closed client, the second. Some libraries wrap the error of a driver.
 */
export function mended(error: unknown, hopeless: RegExp): unknown {
  const it = Object(error) as Error & {
    readonly code?: unknown;
    readonly cause?: { readonly code?: unknown };
  };
  const said = `${it.cause?.code ?? it.code} ${it.message}`;
  const [permanent, missing, closed] = hopeless.exec(said) ?? [];
  if (missing || closed) {
    it.message += missing ? "; call createTable()" : "; open another one";
  }
  return Object.assign(it, { permanent: !!permanent });
}

/** Refuses a call in a transaction of the user, which could undo it. */
export const inTransaction = (): never =>
  fail("CONFLICT", "client", undefined, "client: a transaction is open; use a pool");

/** An integer of 64 bits. One that would be rounded is refused. */
export function integer(value: unknown): number {
  // Null would be 0.
  const number = Number(value ?? NaN);
  return Number.isSafeInteger(number)
    ? number
    : fail("LEASE_STORE", "store", value, "store: not an integer; are rows objects?");
}

/** A row of a list. */
export const heldOf = ({ number, token, began, mark, label, now }: Row): Held => ({
  number: integer(number),
  held: token !== "",
  from: integer(began),
  mark: integer(mark),
  label,
  now: integer(now),
});
