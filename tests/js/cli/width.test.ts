/** The drawing of `graupel inspect` in terminals of every width. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { nanoflake } from "graupel";
import { bitsOf, drawingOf, rowsOf } from "./drawing.ts";
import { facts, known } from "./known.ts";
import { succeeds, width, words } from "./run.ts";

/** What `inspect` draws in a terminal with this many columns. */
const drawn = (columns: number | undefined, args: readonly string[], COLUMNS?: string): Promise<string> =>
  succeeds(["inspect", ...args], "", { columns, COLUMNS });

const [in40, in60, in80] = [
  drawingOf("discord, 40 columns"),
  drawingOf("discord, 60 columns"),
  drawingOf("discord, 80 columns"),
];

describe("inspect, by the width of the terminal", () => {
  const args = ["-f", "discord", known];

  it("draws in 40, 60 and 80 columns", async () => {
    assert.equal(await drawn(40, args), in40);
    assert.equal(await drawn(60, args), in60);
    for (const columns of [80, 81, 200]) assert.equal(await drawn(columns, args), in80);
  });

  it("fits, whatever the format and the width", async () => {
    const long = `--epoch 0 --tick-ms 4294967 --fields time:20,${"x".repeat(64)}:1,a:1,b:1,c:1,sequence:40`;
    const old = nanoflake({ epoch: 0, layout: "reference-24" });
    const all: [format: string, id: string, options: string, integer: string][] = [
      ...facts.map(([format, id, options, { integer }]): (typeof all)[number] => [
        format,
        id,
        options,
        String(integer),
      ]),
      ["snowflake", "9223372036854775807", long, "9223372036854775807"],
      ["snowflake", "9", "--epoch 0 --fields time:2,sequence:2", "9"],
      ["snowflake", "5000000000", "--epoch 0 --fields time:32,sequence:1", "5000000000"],
      ["nanoflake-reference-24", "qv05afkpuz49", "--epoch 0", String(old.parse("qv05afkpuz49"))],
    ];
    for (const [format, id, options, integer] of all) {
      const typed = words(`-f ${format} ${options} ${id}`);
      for (const [columns, most] of [
        [40, 8],
        [60, 16],
        [80, 32],
      ] as const) {
        const drawing = await drawn(columns, typed);
        assert.ok(width(drawing) <= columns, drawing);
        const rows = rowsOf(drawing);
        assert.equal(BigInt(`0b${rows.map(bitsOf).join("")}`), BigInt(integer), drawing);
        // All rows end in the same column. All except the first begin in the same column, and are full.
        const ends = rows.map((row) => row.lastIndexOf("│"));
        assert.deepEqual(
          ends,
          ends.map(() => 6 + 2 * most),
          drawing,
        );
        for (const row of rows.slice(1)) {
          assert.deepEqual([row.indexOf("│"), bitsOf(row).length], [6, most], drawing);
        }
        // The numbers at both ends of a row are those of its first and last bit.
        for (const row of rows) {
          const [high, low] = [...row.matchAll(/(?:^ *|│ {2})(\d+)(?: {2}│|$)/g)].map((match) =>
            Number(match[1]),
          );
          assert.equal((high ?? 0) - (low ?? 0) + 1, bitsOf(row).length, row);
        }
      }
    }
  });

  it("changes where the next longer row fits, on either side", async () => {
    const longest = async (columns: number): Promise<number> =>
      Math.max(...rowsOf(await drawn(columns, args)).map((row) => bitsOf(row).length));
    for (const [columns, bits] of [
      [42, 8],
      [43, 16],
      [74, 16],
      [75, 32],
    ] as const) {
      assert.equal(await longest(columns), bits, `${columns} columns`);
      assert.ok(width(await drawn(columns, args)) <= columns);
    }
  });

  it("takes COLUMNS for the width of a terminal, if it is a number", async () => {
    assert.equal(await drawn(80, args, "40"), in40);
    assert.equal(await drawn(40, args, "60"), in60);
    assert.equal(await drawn(undefined, args, "60"), in60);
    for (const ignored of ["", "0", "x", "-40", "4e1"]) assert.equal(await drawn(60, args, ignored), in60);
  });

  it("draws for 40 columns where there are fewer, and for 80 where nobody knows", async () => {
    for (const columns of [1, 39]) assert.equal(await drawn(columns, args), in40);
    for (const columns of [0, undefined]) assert.equal(await drawn(columns, args), in80);
  });

  it("draws as wide as ever where there is no terminal", async () => {
    for (const COLUMNS of ["40", "60", undefined]) {
      assert.equal(await succeeds(["inspect", ...args], "", { COLUMNS }), in80);
    }
  });

  it("writes the same JSON in every width", async () => {
    const line = await succeeds(["inspect", "--json", ...args]);
    assert.equal(await drawn(40, ["--json", ...args]), line);
  });
});
