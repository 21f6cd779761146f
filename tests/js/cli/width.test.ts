/** The drawing of `graupel inspect` in terminals of every width. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { knownIds } from "./known.ts";
import { linesOf, succeeds, width, words } from "./run.ts";

/** What `inspect` draws in a terminal with this many columns. */
const drawn = (columns: number, line: string): Promise<string> =>
  succeeds(words(`inspect ${line}`), "", { columns });

/** The lines of a drawing that show bits. */
const rowsOf = (drawing: string): string[] =>
  linesOf(drawing).filter((line) => /^ +\d+ {2}│[01 │]+│ {2}\d+$/.test(line));

/** The bits in such a line. */
const bitsOf = (row: string): string =>
  row.slice(row.indexOf("│"), row.lastIndexOf("│")).replace(/[^01]/g, "");

describe("inspect, by the width of the terminal", () => {
  it("fits, whatever the format and the width", async () => {
    const long = `--epoch 0 --tick-ms 4294967 --fields time:20,${"x".repeat(64)}:1,a:1,b:1,c:1,sequence:40`;
    const all: [line: string, integer: unknown][] = [
      ...knownIds.map(([format, id, options, { integer }]): [string, unknown] => [
        `${format} ${options} ${id}`,
        integer,
      ]),
      [`snowflake ${long} 9223372036854775807`, "9223372036854775807"],
      ["snowflake --epoch 0 --fields time:2,sequence:2 9", "9"],
      ["snowflake --epoch 0 --fields time:32,sequence:1 5000000000", "5000000000"],
      ["nanoflake-reference-24 --epoch 0 qv05afkpuz49", "3535520134636570185"],
    ];
    for (const [line, integer] of all) {
      for (const [columns, most] of [
        [40, 8],
        [43, 16],
        [80, 32],
      ] as const) {
        const drawing = await drawn(columns, `-f ${line}`);
        assert.ok(width(drawing) <= columns, drawing);
        const rows = rowsOf(drawing);
        const bits = rows.map(bitsOf);
        assert.equal(BigInt(`0b${bits.join("")}`), BigInt(String(integer)), drawing);
        // The first row has the rest.
        for (const row of bits.slice(1)) assert.equal(row.length, most, drawing);
        for (const row of rows) assert.equal(row.lastIndexOf("│"), 6 + 2 * most, drawing);
      }
    }
  });
});
