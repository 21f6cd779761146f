/**
 * Compares the finder with corpus.json: the first answer, its position and its time. The corpus was
 * drawn once, before the finder was written: from examples in services' documentation, from IDs of
 * services.ts in texts that people paste, and from texts without an ID. It must not be adapted to
 * the finder.
 */
import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { eachIn, type Found, findIn, type Reading } from "../../../www/src/find/find.ts";
import { mainOf } from "../../../www/src/look/edits.ts";
import given from "./corpus.json" with { type: "json" };
import said from "./find.json" with { type: "json" };
import pasted from "./pasted.json" with { type: "json" };
import * as services from "./services.ts";
import { randomFrom, times } from "./services.ts";

/**
 * A text as a user pastes it. `id` is the ID in the text, if there is one; `answer` is a format, a
 * foreign kind or "none".
 */
interface Entry {
  readonly text: string;
  readonly id?: string;
  readonly answer: string;
  readonly timestamp?: number;
}
const { now, logs } = given;
const entries: readonly Entry[] = given.entries;

/** The first answer to a text, in the words of the corpus. */
function answerTo({ text, id }: Entry): {
  answer: string;
  timestamp?: number | undefined;
  found: readonly Found[];
} {
  const found = findIn(text, undefined, now);
  const one =
    id === undefined
      ? found.find(({ readings }) => readings[0]?.plausible)
      : found.find((each) => each.text === id);
  const [first] = one?.readings ?? [];
  if (first === undefined || !first.plausible) return { answer: "none", found };
  return { answer: first.key, timestamp: first.timestamp, found };
}

/** The first reading of a text. */
function readingOf(text: string): Reading {
  const reading = findIn(text, undefined, now)[0]?.readings[0];
  ok(reading, `nothing is found in ${text}`);
  return reading;
}

test("of the corpus, at least 95 in 100 first answers are right", () => {
  ok(entries.length >= 300);
  const misses = entries.flatMap((entry) => {
    const { answer, timestamp } = answerTo(entry);
    const right = answer === entry.answer && (entry.timestamp === undefined || timestamp === entry.timestamp);
    return right ? [] : [`${entry.text.replaceAll("\n", "\\n")}: ${answer}, and not ${entry.answer}`];
  });
  const right = entries.length - misses.length;
  ok(right >= 0.95 * entries.length, misses.join("\n"));
});

/**
 * A text, what it is, and its time. "unix" and "numbered" are not IDs. `before` was written before
 * the rules that read it: IDs of services according to their specifications, in addresses, in texts
 * and damaged; half of the texts have no ID. `after` was written together with the rules.
 */
type Pasted = readonly [text: string, answer: string, timestamp?: number];

/** What the page would show for a text: the answer, its time, and whether it is sure. */
function saidOf(text: string): { answer: string; timestamp?: number | undefined; isSure: boolean } {
  const found = findIn(text, undefined, now);
  const main = found[mainOf(found)];
  const one = main?.isMain ? main : (found.find(({ certainty }) => certainty !== "none") ?? main);
  const [first] = one?.readings ?? [];
  const isSure = one?.certainty === "sure";
  if (one?.instead?.includes("numbered consecutively")) return { answer: "numbered", isSure };
  if (one === undefined || first === undefined) return { answer: "none", isSure };
  const answer = one.certainty !== "none" || first.key === "unix" ? first.key : "none";
  return { answer, timestamp: answer === "none" ? undefined : first.timestamp, isSure };
}

test("of texts as people paste them, half without an ID, at least 95 in 100 are read right, and no wrong answer is sure", () => {
  for (const part of ["before", "after"] as const) {
    const all = pasted[part] as unknown as readonly Pasted[];
    const wrong = all.filter(([text, answer, timestamp]) => {
      const said = saidOf(text);
      const right = said.answer === answer && said.timestamp === timestamp;
      ok(right || answer === "unix" || !said.isSure, `${text} is surely ${said.answer}`);
      return said.answer !== answer || (timestamp !== undefined && said.timestamp !== timestamp);
    });
    ok(all.length >= 150);
    ok(all.filter(([, answer]) => /none|unix|numbered/.test(answer)).length >= all.length / 2 - 1);
    ok(wrong.length <= 0.05 * all.length, wrong.join("\n"));
  }
});

test("a claim is sure where the evidence is: not for random digits, nor for random letters", () => {
  const random = randomFrom(40);
  const sure = Array.from({ length: 1500 }, (_, index) => {
    const alphabet = [
      "0123456789",
      "0123456789abcdef",
      "23456789abcdefghijklmnopqrstuvwx",
      "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
    ];
    return random.text(alphabet[index % 4] as string, [17, 18, 19, 16, 13, 20, 24, 26][index % 8] as number);
  }).filter((text) => findIn(text, undefined, now)[0]?.certainty === "sure");
  ok(sure.length <= 4, sure.join("\n"));
});

test("what was read differently is said", () => {
  for (const [text, note] of said.notes as [string, string | null][]) {
    const [found] = findIn(text, undefined, now);
    equal(found?.readings[0]?.timestamp, 1_462_015_105_796, text);
    equal(found?.notes[0] ?? null, note, text);
  }
  const [excel] = findIn("1.75929E+17", undefined, now);
  deepEqual(
    [excel?.certainty, excel?.instead, excel?.notes[0]],
    [
      "likely",
      "an ID that a spreadsheet has rounded: the last digits are lost",
      "As a Discord ID, it was made between 2016-04-30 11:17:02.993 UTC and 2016-04-30 11:21:01.412 UTC.",
    ],
  );
});

test("where two formats explain a bare number nearly as well, the first answer says so; a wrong one always does", () => {
  const bare = entries.filter(({ text, id }) => text === id && /^\d{15,20}$/.test(text));
  const doubtful = (entry: Entry) => answerTo(entry).found[0]?.readings[0]?.isDoubtful === true;
  const wrong = bare.filter((entry) => answerTo(entry).answer !== entry.answer && entry.answer !== "none");
  deepEqual(
    wrong.filter((entry) => !doubtful(entry)).map(({ text }) => text),
    [],
  );
  ok(bare.filter(doubtful).length < bare.length / 4);
  equal(findIn(DISCORD, undefined, now)[0]?.readings[0]?.isDoubtful, false);
  // Fields that are unusual for every service.
  equal(findIn("1186312361438670910", undefined, now)[0]?.readings[0]?.isDoubtful, true);
});

test("of IDs as services make them, few are read wrongly without a word of doubt, and few of the usual ones are doubted", () => {
  const random = randomFrom(22);
  const [unsaid, doubted, sure]: [string[], string[], string[]] = [[], [], []];
  for (const [key, make, first] of [
    ["discord", services.discord, 2016],
    ["twitter", services.tweet, 2011],
    ["mastodon", services.mastodon, 2017],
    ["instagram", services.instagram, 2013],
    ["sonyflake", services.sonyflake, 2016],
    ["sno", services.sno, 2020],
  ] as const)
    for (const time of times(random, 100, Date.UTC(first, 0, 1), now)) {
      const { id } = make(random, time);
      const [one] = findIn(id, undefined, now);
      const { key: found, isDoubtful: doubtful } = one?.readings[0] ?? {};
      if (found !== key && one?.certainty === "sure") sure.push(`${id} of ${key}: ${found}`);
      if (found !== key && found !== "unix" && !doubtful) unsaid.push(`${id} of ${key}: ${found}`);
      if (found === key && doubtful && ["discord", "twitter", "mastodon"].includes(key)) doubted.push(id);
    }
  ok(unsaid.length <= 8, unsaid.join("\n"));
  ok(sure.length <= 3, sure.join("\n"));
  ok(doubted.length <= 30, `${doubted.length}`);
});

test("the IDs of a log say what the others are: no series is mixed", () => {
  for (const { text, answers } of logs) {
    const found = findIn(text, undefined, now);
    const wrong = found.flatMap(({ text: id, readings: [reading] }) => {
      const right = answers.find((one) => one.id === id)?.answer;
      return reading?.key === right && !reading?.isDoubtful
        ? []
        : [`${id}: ${reading?.key}, and not ${right}`];
    });
    deepEqual(wrong, [], text.slice(0, 60));
    // Some of Instagram's IDs could just as well be nanoseconds.
    ok(found.length > 0.85 * answers.length, `${found.length} of ${answers.length}`);
  }
});

/** A post from 2012 that looks more like a Discord ID. */
const TWEET = "153277622506356738";

test("what the others say is said, wherever they stand together", () => {
  equal(readingOf(TWEET).key, "discord");
  const tweets = ["1460323737035677698", "1067094924124872705"];
  const read = (write: (id: string) => string, separator = "\n") => {
    const found = findIn([...tweets, TWEET].map(write).join(separator), undefined, now);
    const [reading] = found.at(-1)?.readings ?? [];
    return [reading?.key, reading?.reasons[0]];
  };
  for (const [write, where] of [
    [(id: string) => `{"id":"${id}"}`, "after “id”"],
    [(id: string) => `got ${id}`, "after “got”"],
    [(id: string) => `${id.slice(-3)};${id};x`, "in this column"],
    [(id: string) => `https://example.org/${id.slice(-5)}/of/${id}`, "at this position of a line"],
    [(id: string) => id, "at this position of a line"],
  ] as const)
    deepEqual(read(write), ["twitter", `Other IDs ${where} are Twitter IDs.`]);
  const listed = findIn(`"ids": ["${[...tweets, TWEET].join('", "')}"]`, undefined, now).at(-1);
  equal(listed?.readings[0]?.reasons[0], "Other IDs after “ids” are Twitter IDs.");
  // From another series, with a very different value.
  deepEqual(
    read((id) => (id === TWEET ? `of=${id}` : `{"id":"${id}"}`)),
    ["discord", "Worker 1, process 0 and increment 2 are usual for Discord."],
  );
});

test("IDs that are close in value are read alike, wherever they stand", () => {
  const near = String(BigInt(TWEET) + (3_600_000n << 22n));
  const [, other] = findIn(`https://x.com/nasa/status/${near} and of=${TWEET}`, undefined, now);
  deepEqual(
    [other?.readings[0]?.key, other?.readings[0]?.reasons[0]],
    ["twitter", "Other IDs that are close to it are Twitter IDs."],
  );
  const far = String(BigInt(TWEET) + (2_000_000_000n << 22n));
  equal(
    findIn(`https://x.com/nasa/status/${far} and of=${TWEET}`, undefined, now)[1]?.readings[0]?.key,
    "discord",
  );
});

test("an ID that stands twice is one ID, and does not bear witness for itself", () => {
  const twice = findIn(`{"id":${TWEET},"id_str":"${TWEET}"}`, undefined, now);
  deepEqual(
    twice.map(({ readings: [reading] }) => [reading?.key, reading?.reasons[0]]),
    [
      ["twitter", "Elsewhere in this text, it is a Twitter ID."],
      ["twitter", "The name before it is “id_str”."],
    ],
  );
  const doubtful = "1186312361438670910";
  const found = findIn(`id=${doubtful}\n`.repeat(9), undefined, now);
  equal(found.length, 9);
  ok(found.every(({ readings: [reading] }) => reading?.isDoubtful));
  // Next to an ID that cannot be of any of its formats.
  const [beside] = findIn("id=732524185859543042\nid=919108f7-52d1-4320-9bac-f847db4148a8", undefined, now);
  equal(beside?.readings[0]?.isDoubtful, true);
  ok(!beside?.readings[0]?.reasons.join().includes("Other IDs"));
});

test("a mention outweighs what the others are", () => {
  const others = Array.from(
    { length: 12 },
    (_, hour) => BigInt(TWEET) + (BigInt(3_600_000 * (hour + 1)) << 22n),
  );
  const text = others.map((id) => `https://x.com/nasa/status/${id}`).join("\n");
  const last = findIn(`${text}\n<@${TWEET}>`, undefined, now).at(-1);
  equal(last?.readings[0]?.key, "discord");
});

const DISCORD = "175928847299117063";
/** A Mastodon post whose random bits contain typical fields of Discord. */
const POST = "110990768126296242";
/** An Instagram post with typical fields of Twitter. */
const MEDIA = "1856321527672879468";

const notes = (text: string) => findIn(text, undefined, now).flatMap((found) => found.notes);

test("each has its place, and repeats are found each time", () => {
  const log = [
    `user=${DISCORD} <@${DISCORD}>`,
    `"${DISCORD}",01ARZ3NDEKTSV4RRFFQ69G5FAV`,
    "b=[2, 113, 6, 90, 193, 2, 0, 7]",
  ].join("\n");
  const found = [...eachIn(log, undefined, now)];
  deepEqual(
    found.map(({ text }) => text),
    [DISCORD, DISCORD, DISCORD, "01ARZ3NDEKTSV4RRFFQ69G5FAV", "[2, 113, 6, 90, 193, 2, 0, 7]"],
  );
  for (const { text, start, end } of found) equal(log.slice(start, end), text);
  ok(found.every(({ start }, index) => start > (found[index - 1]?.start ?? -1)));
  deepEqual(
    findIn(log, undefined, now).map(({ start }) => start),
    found.map(({ start }) => start),
  );
});

test("what stands around an ID decides, and is said first", () => {
  // Without context, they are read as IDs of other services.
  for (const id of [DISCORD, POST]) equal(readingOf(id).key, "discord");
  equal(readingOf(MEDIA).key, "twitter");
  for (const [text, key, reason] of said.around as [string, string, string][]) {
    const { key: found, reasons } = readingOf(text);
    equal(found, key, text);
    equal(reasons[0], reason);
  }
  equal(
    readingOf("https://www.instagram.com/p/CGlkXabcDE1/").timestamp,
    Date.UTC(2020, 9, 21, 1, 23, 30, 703),
  );
});

test("the name of something else speaks against an ID, a part of a word does not", () => {
  const found = (name: string) => [...eachIn(`${name}=${DISCORD} rest`, undefined, now)].length;
  for (const name of ["traceId", "trace_id", "content-length", "parent", "sha256"])
    equal(found(name), 0, name);
  for (const name of ["message", "shard", "discardedBy"]) equal(found(name), 1, name);
});

test("a Unix time comes first, as a reading of its own, and is no ID", () => {
  for (const [text, title, timestamp] of said.unix as [string, string, number][]) {
    const [found] = findIn(text, undefined, now);
    const [first] = found?.readings ?? [];
    deepEqual([found?.certainty, first?.title, first?.timestamp], ["none", title, timestamp]);
    deepEqual([...eachIn(`at ${text} it was`, undefined, now)], []);
  }
  // A tweet's ID is not read as a time, although it could be one.
  equal(readingOf("1460323737035677698").key, "twitter");
  deepEqual(notes("18446744073709551616"), ["It has more than 64 bits."]);
  deepEqual(notes("18446744073709551615"), []);
});

test("a number that JavaScript may have rounded is said to be so", () => {
  const rounded = String(Number(DISCORD));
  equal(rounded, "175928847299117060");
  deepEqual(notes("1305120710456668200"), [
    "It ends in zeros, like a number that JavaScript has rounded: its last digits may be lost.",
  ]);
  deepEqual(notes(DISCORD), []);
  deepEqual(notes("175928847299117001"), []);
});

test("a text alone is taken for what it could be; in a log it must be likely", () => {
  // From Discord's documentation, with invented fields.
  equal([...eachIn("member 290926798629997250 left", undefined, now)][0]?.text, "290926798629997250");
  const small = "123456789";
  equal(findIn(small, undefined, now)[0]?.readings[0]?.plausible, false);
  deepEqual([...eachIn(`a ${small} b 1234567890123`, undefined, now)], []);
  deepEqual(findIn("", undefined, now), []);
  deepEqual(findIn("nothing in here is one", undefined, now), []);
});
