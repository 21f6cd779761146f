/** IDs with known contents. */
import { knownDiscord, ROWS } from "../support/formats.ts";

/** Format, ID, the options to read it, and its contents. */
export const knownIds: [string, string, string, Record<string, unknown>][] = [
  ...ROWS.flatMap(({ cli, known }): typeof knownIds =>
    known === undefined ? [] : [[cli, known.id, known.options ?? "", known.facts]],
  ),
  [
    "snowflake",
    knownDiscord,
    "--epoch 1420070400000 --fields time:42,a:1,bB:9,sequence:12",
    {
      integer: knownDiscord,
      hex: "0271065ac1020007",
      timestamp: 1462015105796,
      time: "2016-04-30T11:18:25.796Z",
      ticks: 41944705796,
      a: 0,
      bB: 32,
      sequence: 7,
    },
  ],
];
