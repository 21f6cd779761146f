/**
 * The tables on the drivers page: what each library returns by default, and with the page's line of
 * code.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../js/support/places.ts";
import { orders } from "../support/rows.ts";

/** IDs from a few busy milliseconds, most of which rounding changes. */
const BUSY = orders.generator({ worker: 700, clock: () => Date.UTC(2025, 5, 1) }).nextMany(1000);

/** The settings of a library in the page's line, by name. */
// biome-ignore lint/suspicious/noExplicitAny: each library has its own type of line
export type Line = Readonly<Record<string, any>>;

/** A library with a database. */
export interface Library {
  /** The names that the line may use. */
  readonly scope?: Readonly<Record<string, unknown>>;
  /** The expected error message, if the library throws. */
  readonly error?: RegExp;
  /**
   * Writes IDs to its own table and reads them back in order. `options`: the settings from the
   * page's line.
   */
  roundTrip(ids: readonly bigint[], options: Line): Promise<readonly unknown[]>;
}

/** Whether a value is a BSON Long from any copy of the package. */
const isLong = (value: unknown): value is { toString(): string } => Object(value)._bsontype === "Long";

/** Describes the returned values in the page's words. */
async function givenBy(library: Library, options: Line, prepare: () => Promise<unknown>): Promise<string> {
  await prepare();
  const { fromRow = ({ id }: { id: unknown }) => id } = options;
  const found = await library
    .roundTrip(BUSY, options)
    .then((values) => values.map((id) => fromRow({ id })))
    .catch((error: Error) => error);
  if (found instanceof Error) {
    assert.match(found.message, library.error ?? /too large/);
    return "an error";
  }
  if (found.every((value) => value === undefined)) return "nothing";
  const kinds = new Set(found.map((value) => (isLong(value) ? "Long" : typeof value)));
  assert.equal(kinds.size, 1, [...kinds].join(", "));
  const wasNumber = found.length < BUSY.length || kinds.has("number");
  if (wasNumber) {
    assert.ok(found.some((value, i) => BigInt(value as number) !== BUSY[i]));
    const valid = kinds.has("number") && found.some((value) => orders.isValid(value));
    assert.ok(!valid, "graupel takes no number for an ID of 64 bits");
    // TypeORM and MikroORM merge rows whose IDs round to the same number. MikroORM makes BigInts
    // from the numbers that SQLite's driver has rounded.
    return found.length < BUSY.length ? "**rounded**, and rows are lost" : "**rounded**";
  }
  // Drizzle makes bigints from the numbers that its driver has rounded.
  if (kinds.has("bigint") && found.some((value, i) => value !== BUSY[i])) return "**rounded**, as bigint";
  const parsed = found.map((value) => orders.parse(isLong(value) ? value.toString() : value));
  assert.deepEqual(parsed, BUSY);
  return kinds.has("Long") ? "`Long`" : kinds.has("bigint") ? "bigint" : "text";
}

/** The rows of the table below a heading: the library, the returned value, and the line of code. */
function rowsOf(heading: string): string[][] {
  const page = readFileSync(join(root, "www", "docs", "drivers.md"), "utf8");
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(/^\| (?!library|---)(.*) \|$/gm)].map(([, row = ""]) => row.split(" | "));
}

/**
 * Compares a database's table with the behaviour of its libraries. `prepare`: runs before each test,
 * for example to empty the table.
 */
export function agreeWithPage(
  heading: string,
  libraries: Readonly<Record<string, Library>>,
  prepare: () => Promise<unknown> = async () => {},
): void {
  const rows = rowsOf(heading);
  const names = rows.map(([name]) => name);

  test("the page's table has these libraries", () => assert.deepEqual(names, Object.keys(libraries)));

  for (const [name, library] of Object.entries(libraries)) {
    const [, without, cell = "", withLine] = rows.find(([one]) => one === name) ?? [];
    test(`${name}, without a setting`, async () =>
      assert.equal(await givenBy(library, {}, prepare), without));
    test(`${name}, with its line`, async () => {
      // "-" means that the library needs no setting.
      const line = /^`(.+)`$|^-$/.exec(cell) ?? assert.fail(`no line: ${cell}`);
      const options = line[1] === undefined ? {} : optionsOf(line[1], { orders, ...library.scope });
      assert.equal(await givenBy(library, options, prepare), withLine);
    });
  }
}

/**
 * What a line of the page changes for a library: the options, the database, a statement, a row, or
 * the start of the statement.
 */
function optionsOf(line: string, scope: Readonly<Record<string, unknown>>) {
  const given = (body: string) => new Function(...Object.keys(scope), body)(...Object.values(scope));
  if (line.startsWith("SELECT ")) return { line };
  const [, target] = /\b(row)\.id\b|^(?:\w+\()?(database|statement)[.)]/.exec(line)?.filter(Boolean) ?? [];
  if (target === undefined) return given(`return { ${line} }`);
  return { line, [target === "row" ? "fromRow" : "prepare"]: given(`return (${target}) => ${line}`) };
}
