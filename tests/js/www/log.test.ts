/** The rows of a log: gaps, order, filter and CSV; and the comparison of two IDs. */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { test } from "node:test";
import { discord, sno, ulidFlake } from "graupel";
import { findIn } from "../../../www/src/find/find.ts";
import { duration, gapText } from "../../../www/src/log/duration.ts";
import { pairOf } from "../../../www/src/log/pair.ts";
import { type LogRow, rowOf } from "../../../www/src/log/row.ts";
import { AS_FOUND, Rows } from "../../../www/src/log/rows.ts";

const now = Date.UTC(2026, 11, 1);
const noon = Date.UTC(2026, 4, 1, 12);

const discordOf = (timestamp: number, internalWorkerId = 1, increment = 3) =>
  String(discord.compose({ timestamp, internalWorkerId, internalProcessId: 0, increment }));

const V4 = "919108f7-52d1-4320-9bac-f847db4148a8";
const TEXTS = [
  discordOf(noon),
  V4,
  discordOf(noon + 1250, 2),
  sno.compose({ timestamp: noon - 60_000, metabyte: 0, partition: 39434, sequence: 1 }),
  discordOf(noon + 3_600_000),
];

function rowsOf(texts: readonly string[]): Rows {
  const rows = new Rows();
  for (const found of findIn(texts.join("\n"), undefined, now)) rows.add(found);
  return rows;
}

const shown = (rows: Rows) => rows.slice(0, 100).map(({ text }) => TEXTS.indexOf(text));
const formatsOf = (rows: Rows) => rows.summary().formats.map(({ key, count }) => `${key} ${count}`);
const gaps = (rows: Rows) => rows.slice(0, 100).map(({ gap }) => gap);

test("the gap is the time since the row before, of those that are shown", () => {
  const rows = rowsOf(TEXTS);
  deepEqual(shown(rows), [0, 1, 2, 3, 4]);
  deepEqual(gaps(rows), [undefined, undefined, 1250, -61_250, 3_660_000]);
  rows.arrange({ ...AS_FOUND, format: "discord" });
  deepEqual(shown(rows), [0, 2, 4]);
  deepEqual(gaps(rows), [undefined, 1250, 3_598_750]);
});

test("an ID that the log has more than once is counted at each of its places", () => {
  const [one, other] = [TEXTS[0] as string, TEXTS[2] as string];
  const rows = rowsOf([one, other, one, one]);
  deepEqual(
    rows.slice(0, 4).map(({ nth, times }) => `${nth} of ${times}`),
    ["1 of 3", "1 of 1", "2 of 3", "3 of 3"],
  );
  const { all, different } = rows.summary();
  deepEqual([all, different], [4, 2]);
});

/** Fields that are unusual for every service. */
const DOUBTFUL = "1186312361438670910";

test("a row says whether its format is in doubt, and what is read again takes its place", () => {
  const alone = rowsOf([DOUBTFUL, V4]);
  deepEqual(
    alone.slice(0, 2).map(({ isDoubtful }) => isDoubtful),
    [true, false],
  );
  const [again] = findIn(`tweet_id=${DOUBTFUL}`, undefined, now);
  ok(again);
  alone.slice(0, 1);
  alone.replace(0, again);
  alone.arrangeAgain();
  deepEqual(
    alone.slice(0, 2).map(({ title, isDoubtful }) => `${title} ${isDoubtful}`),
    ["Twitter false", "UUID v4 false"],
  );
  deepEqual(formatsOf(alone), ["twitter 1", "uuid-v4 1"]);
});

test("a row that comes later is shown as if it had been there", () => {
  for (const arrangement of [
    AS_FOUND,
    { ...AS_FOUND, format: "discord" },
    { ...AS_FOUND, sort: "time" },
  ] as const) {
    const [late, all] = [new Rows(), rowsOf(TEXTS)];
    for (const rows of [late, all]) rows.arrange(arrangement);
    for (const found of findIn(TEXTS.join("\n"), undefined, now)) {
      late.add(found);
      late.slice(0, 1);
    }
    deepEqual(late.slice(0, 100), all.slice(0, 100));
  }
});

test("rows are sorted by each column, and what has no value comes last", () => {
  const rows = rowsOf(TEXTS);
  const sorted = (sort: (typeof AS_FOUND)["sort"], down: boolean) => {
    rows.arrange({ ...AS_FOUND, sort, down });
    return shown(rows);
  };
  deepEqual(sorted("time", false), [3, 0, 2, 4, 1]);
  deepEqual(sorted("time", true), [4, 2, 0, 3, 1]);
  deepEqual(sorted("gap", false), [3, 2, 4, 0, 1]);
  deepEqual(sorted("format", false), [0, 2, 4, 1, 3]);
  deepEqual(sorted("id", true).slice(-1), [0]);
  deepEqual(sorted("place", true), [4, 3, 2, 1, 0]);
});

test("the filter looks into IDs, times and fields", () => {
  const rows = rowsOf(TEXTS);
  const filtered = (filter: string) => {
    rows.arrange({ ...AS_FOUND, filter });
    return shown(rows);
  };
  deepEqual(filtered("919108F7"), [1]);
  deepEqual(filtered("2026-05-01 12:00:01"), [2]);
  deepEqual(filtered("partition 39434"), [3]);
  deepEqual(filtered("worker 2"), [2]);
  deepEqual(filtered("nowhere"), []);
  deepEqual(rows.summary().shown, 0);
  equal(rows.summary().all, 5);
  deepEqual(formatsOf(rows), ["discord 3", "uuid-v4 1", "sno 1"]);
});

test("CSV has what is shown, and quotes what has commas", () => {
  const rows = rowsOf(TEXTS);
  rows.arrange({ ...AS_FOUND, format: "discord" });
  deepEqual(rows.csv().join("").split("\r\n"), [
    "number,id,format,time,gap in ms,fields",
    `1,${TEXTS[0]},Discord,2026-05-01T12:00:00.000Z,,"worker 1, process 0, increment 3"`,
    `3,${TEXTS[2]},Discord,2026-05-01T12:00:01.250Z,1250,"worker 2, process 0, increment 3"`,
    `5,${TEXTS[4]},Discord,2026-05-01T13:00:00.000Z,3598750,"worker 1, process 0, increment 3"`,
    "",
  ]);
});

test("two IDs: the time between, and whether one machine made both", () => {
  const row = (text: string): LogRow => {
    const [found] = findIn(text, undefined, now);
    const made = found && rowOf(found, 0);
    ok(made, text);
    return made;
  };
  const [one, other, third] = [row(TEXTS[0] as string), row(TEXTS[2] as string), row(TEXTS[4] as string)];
  equal(pairOf(one, third).between, "The second is 1 h later.");
  equal(pairOf(third, one).between, "The second is 1 h earlier.");
  match(pairOf(one, third).machine, /^The same machine may have generated both: worker 1 and process 0\.$/);
  match(
    pairOf(one, other).machine,
    /^Different machines generated them: worker 1 and process 0, and worker 2 and/,
  );
  match(pairOf(one, row(TEXTS[3] as string)).machine, /different formats/);
  const flake = String(ulidFlake.range(noon).min);
  match(pairOf(row(flake), row(flake)).machine, /do not say which machine/);
  equal(pairOf(row(V4), one).between, "One of the IDs has no time.");
  equal(pairOf(one, one).between, "Both IDs have the same time.");
  // The middle of an ObjectId is drawn once per process.
  const mongo = row("507f1f77bcf86cd799439011");
  match(pairOf(mongo, row("507f1f78bcf86cd799439012")).machine, /same machine.*random bcf86cd799/);
});

test("a span of time in its two largest units", () => {
  const day = 86_400_000;
  const spans = [
    0,
    12,
    1250,
    59_940,
    125_000,
    3_600_000,
    3_660_000,
    97_200_000,
    day * 1234,
    day * 365.2425e4,
  ];
  const words = "0 ms; 12 ms; 1.25 s; 59.9 s; 2 min 5 s; 1 h; 1 h 1 min; 1 d 3 h; 3 y 138 d; 10,000 y";
  equal(spans.map(duration).join("; "), words);
  equal(gapText(-1250), "−1.25 s");
  equal(gapText(1250), "+1.25 s");
});
