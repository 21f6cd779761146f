/**
 * The rows of drivers on the page about them: what each driver returns by default, and with the
 * page's line of code.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../js/support/places.ts";
import { orders } from "../support/rows.ts";

/** IDs from a few busy milliseconds, most of which rounding changes. */
const BUSY = orders.generator({ worker: 700, clock: () => Date.UTC(2025, 5, 1) }).nextMany(1000);

/** The settings of a driver in the page's line, by name. */
// biome-ignore lint/suspicious/noExplicitAny: each driver has its own type of line
export type Line = Readonly<Record<string, any>>;

/** A driver with a database. */
export interface Library {
  /** The names that the line may use. */
  readonly scope?: Readonly<Record<string, unknown>>;
  /** The expected error message, if the driver throws. */
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
  const kinds = new Set(found.map((value) => (isLong(value) ? "Long" : typeof value)));
  assert.equal(kinds.size, 1, [...kinds].join(", "));
  if (kinds.has("number")) {
    assert.ok(found.some((value, i) => BigInt(value as number) !== BUSY[i]));
    assert.ok(!found.some((value) => orders.isValid(value)), "graupel takes no number for an ID of 64 bits");
    return "**rounded**";
  }
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
 * Compares the rows of drivers below a heading, whose names are in code font, with their behaviour.
 * `prepare`: runs before each test, for example to empty the table.
 */
export function agreeWithPage(
  heading: string,
  libraries: Readonly<Record<string, Library>>,
  prepare: () => Promise<unknown> = async () => {},
): void {
  const rows = rowsOf(heading).filter(([name = ""]) => name.startsWith("`"));

  test("the page's table has these drivers", () =>
    assert.deepEqual(
      rows.map(([name]) => name),
      Object.keys(libraries),
    ));

  for (const [name, library] of Object.entries(libraries)) {
    const [, without, cell = "", withLine] = rows.find(([one]) => one === name) ?? [];
    test(`${name}, without a setting`, async () =>
      assert.equal(await givenBy(library, {}, prepare), without));
    test(`${name}, with its line`, async () => {
      // "-" means that the driver needs no setting.
      const line = /^`(.+)`$|^-$/.exec(cell) ?? assert.fail(`no line: ${cell}`);
      const options = line[1] === undefined ? {} : optionsOf(line[1], { orders, ...library.scope });
      assert.equal(await givenBy(library, options, prepare), withLine);
    });
  }
}

/** What a line of the page changes for a driver: the options, the statement, or a row. */
function optionsOf(line: string, scope: Readonly<Record<string, unknown>>) {
  const given = (body: string) => new Function(...Object.keys(scope), body)(...Object.values(scope));
  if (line.startsWith("SELECT ")) return { line };
  if (line.includes("redis.")) return { call: given(`return async (redis, key, id) => ${line}`) };
  if (line.includes("row.id")) return { fromRow: given(`return (row) => ${line}`) };
  if (line.startsWith("statement.")) return { line, prepare: given(`return (statement) => ${line}`) };
  return given(`return { ${line} }`);
}
