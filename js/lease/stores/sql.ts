/** Functions that the SQL stores share. */
import { fail, GraupelError, typeError } from "../../errors.js";
import type { Held } from "../types.js";

/** The default name of the table. */
export const TABLE = "graupel_lease";

/** A row of any statement. Depending on the driver, 64-bit integers are text, bigint or number. */
export type SqlRow = Readonly<
  Record<"number" | "began" | "mark" | "now", unknown> & Record<"token" | "label", string>
>;

/** Checks the name of a table, with or without a schema. */
export const tableOf = (table: string): string =>
  /^[a-z_]\w*(\.[a-z_]\w*)?$/i.test(table) ? table : typeError("table", table, "the name of a table");

/**
 * Marks a database error as `permanent` if its code or message matches `hopeless`. For a missing
 * table (the first group) or a closed client (the second group), it adds what to do. Some libraries
 * wrap the error of the driver.
 */
export function mended(error: unknown, hopeless: RegExp): unknown {
  const it = Object(error) as Error & {
    readonly code?: unknown;
    readonly errno?: unknown;
    readonly cause?: { readonly code?: unknown };
  };
  // Bun's errors have PostgreSQL's code in `errno`, as text.
  const code = typeof it.errno === "string" ? it.errno : (it.cause?.code ?? it.code);
  const said = `${code} ${it.message}`;
  const [permanent, missing, closed] = hopeless.exec(said) ?? [];
  if (missing || closed) {
    it.message += missing ? "; call createTable()" : "; open another one";
  }
  return Object.assign(it, { permanent: !!permanent });
}

/** Throws, because the call ran in a transaction of the user, which could roll it back. */
export const inTransaction = (): never =>
  fail("CONFLICT", "client", undefined, "client: a transaction is open; use a pool");

/**
 * Throws for an answer that is not a list of rows, because the client is of another kind, or one of
 * its options changes the rows. No retry helps.
 */
export function noRows(value?: unknown): never {
  const words = "store: expected rows as objects with integers; check the kind of client and its options";
  throw Object.assign(new GraupelError("LEASE_STORE", words, "store", value), { permanent: true });
}

/** Reads a 64-bit integer. Throws if the driver returned a number that may be rounded. */
export function integer(value: unknown): number {
  // Number(null) is 0.
  const number = Number(value ?? NaN);
  return Number.isSafeInteger(number) ? number : noRows(value);
}

/** A row of a list. */
export const heldOf = ({ number, token, began, mark, label, now }: SqlRow): Held => ({
  number: integer(number),
  held: token !== "",
  from: integer(began),
  mark: integer(mark),
  label,
  now: integer(now),
});
