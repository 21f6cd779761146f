// The vectors' files: each section is a table with named columns, each row one item.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../support/places.ts";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Json[])[];
}

/**
 * One row, read by the names of its columns. A row may be shorter than its table: missing values are null. So is what a table has no
 * column for, of the two that say how the package differs: `deviation` and `here`.
 */
export class Item {
  constructor(
    readonly columns: readonly string[],
    readonly row: readonly Json[],
  ) {}

  get(column: string): Json {
    const index = this.columns.indexOf(column);
    if (index < 0 && column !== "deviation" && column !== "here") {
      throw new Error(`no column ${column}`);
    }
    return this.row[index] ?? null;
  }

  text(column: string): string {
    return text(this.get(column));
  }

  number(column: string): number {
    return number(this.get(column));
  }

  list(column: string): readonly Json[] {
    return list(this.get(column));
  }

  /** Columns by name, as numbers. */
  numbers<Name extends string>(...columns: readonly Name[]): Record<Name, number> {
    return Object.fromEntries(columns.map((column) => [column, this.number(column)])) as Record<Name, number>;
  }

  /** The steps of a trace. */
  steps(): readonly (readonly Json[])[] {
    return this.list("steps").map(list);
  }

  get id(): string {
    return this.text("id");
  }

  tagged(tag: string): boolean {
    return this.text("tags").split(" ").includes(tag);
  }
}

/** A file of vectors. */
export class File {
  readonly #value: { readonly [key: string]: Json };

  constructor(readonly name: string) {
    this.#value = record(JSON.parse(readFileSync(join(root, "tests/vectors", `${name}.json`), "utf8")));
  }

  /** A value at the head of the file. */
  head(key: string): Json {
    return this.#value[key] ?? null;
  }

  /** The names of the sections. */
  get sections(): string[] {
    return Object.keys(this.#value).filter((key) => isTable(this.#value[key]));
  }

  items(section: string): Item[] {
    const table = this.#value[section];
    if (!isTable(table)) {
      throw new Error(`no section ${section}`);
    }
    return table.rows.map((row) => new Item(table.columns, row));
  }
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && "columns" in value && "rows" in value;
}

export function text(value: Json | undefined): string {
  if (typeof value !== "string") {
    throw new Error(`not a text: ${JSON.stringify(value)}`);
  }
  return value;
}

export function number(value: Json | undefined): number {
  if (typeof value !== "number") {
    throw new Error(`not a number: ${JSON.stringify(value)}`);
  }
  return value;
}

export function list(value: Json | undefined): readonly Json[] {
  if (!Array.isArray(value)) {
    throw new Error(`not a list: ${JSON.stringify(value)}`);
  }
  return value;
}

export function record(value: Json | undefined): { readonly [key: string]: Json } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error(`not an object: ${JSON.stringify(value)}`);
  }
  return value as { readonly [key: string]: Json };
}

export function bytes(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function hex(data: Uint8Array): string {
  return Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
