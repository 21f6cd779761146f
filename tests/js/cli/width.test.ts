/** The drawing of `graupel inspect` in terminals of every width. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { nanoflake } from "graupel";
import { bitsOf, discordFields, rowsOf } from "./drawing.ts";
import { facts, known } from "./known.ts";
import { succeeds, width } from "./run.ts";

/** What `inspect` draws in a terminal with this many columns. */
const drawn = (columns: number | undefined, args: readonly string[], COLUMNS?: string): Promise<string> =>
  succeeds(["inspect", ...args], "", { columns, COLUMNS });

const in40 = `discord  ${known}

      ╭───────────────╮
  63  │0 0 0 0 0 0 1 0│  56
      │    a time     │
      ├───────────────┤
  55  │0 1 1 1 0 0 0 1│  48
      │    a time     │
      ├───────────────┤
  47  │0 0 0 0 0 1 1 0│  40
      │    a time     │
      ├───────────────┤
  39  │0 1 0 1 1 0 1 0│  32
      │    a time     │
      ├───────────────┤
  31  │1 1 0 0 0 0 0 1│  24
      │    a time     │
      ├───┬─────────┬─┤
  23  │0 0│0 0 0 0 1│0│  16
      │ a │    b    │c│
      ├───┴───┬─────┴─┤
  15  │0 0 0 0│0 0 0 0│  8
      │   c   │   d   │
      ├───────┴───────┤
   7  │0 0 0 0 0 1 1 1│  0
      │  d increment  │
      ╰───────────────╯
    a  time               41944705796
       bits 63–22  42 wide
    b  internalWorkerId             1
       bits 21–17   5 wide
    c  internalProcessId            0
       bits 16–12   5 wide
    d  increment                    7
       bits 11–0   12 wide

    time     2016-04-30T11:18:25.796Z
    unix ms  1462015105796
    ticks    of 1 ms since
             2015-01-01T00:00:00.000Z
    hex      0271065ac1020007
`;

const in60 = `discord  ${known}

      ╭───────────────────────────────╮
  63  │0 0 0 0 0 0 1 0 0 1 1 1 0 0 0 1│  48
      │            a time             │
      ├───────────────────────────────┤
  47  │0 0 0 0 0 1 1 0 0 1 0 1 1 0 1 0│  32
      │            a time             │
      ├───────────────────┬─────────┬─┤
  31  │1 1 0 0 0 0 0 1 0 0│0 0 0 0 1│0│  16
      │      a time       │    b    │c│
      ├───────┬───────────┴─────────┴─┤
  15  │0 0 0 0│0 0 0 0 0 0 0 0 0 1 1 1│  0
      │   c   │      d increment      │
      ╰───────┴───────────────────────╯
${discordFields}`;

describe("inspect, by the width of the terminal", () => {
  const args = ["-f", "discord", known];

  it("draws in 40, 60 and 80 columns", async () => {
    assert.equal(await drawn(40, args), in40);
    assert.equal(await drawn(60, args), in60);
    const wide = await succeeds(["inspect", ...args]);
    assert.match(wide, /^ {2}63 {2}│(?:[01] ){31}[01]│ {2}32$/m);
    for (const columns of [80, 81, 200]) assert.equal(await drawn(columns, args), wide);
  });

  it("fits, whatever the format and the width", async () => {
    const long = `--epoch 0 --tick-ms 4294967 --fields time:20,${"x".repeat(64)}:1,a:1,b:1,c:1,sequence:40`;
    const old = nanoflake({ epoch: 0, layout: "reference-24" });
    const all: [string, string, string, string][] = [
      ...facts.map(
        ([format, id, options, { integer }]) =>
          [format, id, options, String(integer)] as [string, string, string, string],
      ),
      ["snowflake", "9223372036854775807", long, "9223372036854775807"],
      ["snowflake", "9", "--epoch 0 --fields time:2,sequence:2", "9"],
      ["nanoflake-reference-24", "qv05afkpuz49", "--epoch 0", String(old.parse("qv05afkpuz49"))],
    ];
    for (const [format, id, options, integer] of all) {
      const typed = ["-f", format, ...options.split(" ").filter(Boolean), id];
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
    for (const columns of [0, undefined]) assert.equal(await drawn(columns, args), await drawn(80, args));
  });

  it("draws as wide as ever where there is no terminal", async () => {
    const wide = await succeeds(["inspect", ...args]);
    for (const COLUMNS of ["40", "60"]) {
      assert.equal(await succeeds(["inspect", ...args], "", { COLUMNS }), wide);
    }
  });

  it("writes the same JSON in every width", async () => {
    const line = await succeeds(["inspect", "--json", ...args]);
    assert.equal(await drawn(40, ["--json", ...args]), line);
  });
});
