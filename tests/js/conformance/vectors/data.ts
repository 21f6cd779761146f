// The vector files: each section is a table with named columns, and each row is one item.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../support/places.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests/vectors/README.md documents columns and steps
export type Json = any;

/**
 * One row, by column name. Reading an unknown column throws. Missing values are null: a row may be
 * shorter than its table, and a table may lack the columns `deviation` and `here`, which say how
 * the package differs.
 */
export type Item = Readonly<Record<string, Json>> & { readonly steps: readonly (readonly Json[])[] };

interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Json[])[];
}

/** A vector file. */
export class File {
  readonly #value: Readonly<Record<string, Json>>;

  constructor(readonly name: string) {
    this.#value = JSON.parse(readFileSync(join(root, "tests/vectors", `${name}.json`), "utf8"));
  }

  /** A value at the top of the file. */
  head(key: string): Json {
    return this.#value[key] ?? null;
  }

  get sections(): string[] {
    return Object.keys(this.#value).filter((key) => this.#value[key].rows !== undefined);
  }

  items(section: string): Item[] {
    const { columns, rows }: Table = this.#value[section];
    return rows.map((row) => {
      const values = columns.map((column, index) => [column, row[index] ?? null]);
      return new Proxy<Item>({ deviation: null, here: null, ...Object.fromEntries(values) }, { get: known });
    });
  }
}

function known(item: Item, column: string | symbol): Json {
  if (!(column in item)) throw new Error(`no column ${String(column)}`);
  return item[String(column)];
}

/** Some columns, by name. */
export const pick = (item: Item, ...columns: readonly string[]): Record<string, Json> =>
  Object.fromEntries(columns.map((column) => [column, item[column]]));

export const bytes = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

export const hex = (data: Uint8Array): string =>
  Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");
