/** The finder beside the corpus: the right first answer, its place and its time. */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { test } from "node:test";
import { eachIn, type Found, findIn, type Reading } from "../../../www/src/find/find.ts";
import type { Corpus, Entry } from "./corpus/entry.ts";
import given from "./corpus.json" with { type: "json" };

const { now, entries } = given as Corpus;

/** The first answer to a text, in the corpus' words. */
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

test("of the corpus, at least 95 in 100 first answers are right", () => {
  ok(entries.length >= 300);
  const misses = entries.flatMap((entry) => {
    const { answer, timestamp } = answerTo(entry);
    const right = answer === entry.answer && (entry.timestamp === undefined || timestamp === entry.timestamp);
    return right ? [] : [`${entry.text.replaceAll("\n", "\\n")}: ${answer}, and not ${entry.answer}`];
  });
  const right = entries.length - misses.length;
  console.log(`${right} of ${entries.length} are right (${((100 * right) / entries.length).toFixed(1)} %)`);
  for (const miss of misses) console.log(`  ${miss}`);
  ok(right >= 0.95 * entries.length, misses.join("\n"));
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
  // Fields that are unusual for each of the services.
  equal(findIn("1186312361438670910", undefined, now)[0]?.readings[0]?.isDoubtful, true);
});

const DISCORD = "175928847299117063";
/** A post of Mastodon, in whose random bits usual fields of Discord stand. */
const POST = "110990768126296242";
/** One of Instagram, in which usual fields of Twitter stand. */
const MEDIA = "1856321527672879468";

/** The first reading of a text. */
function first(text: string): Reading {
  const reading = findIn(text, undefined, now)[0]?.readings[0];
  ok(reading, `nothing is found in ${text}`);
  return reading;
}
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
  equal(findIn(log, undefined, now).length, 3);
});

test("what stands around an ID decides, and is said first", () => {
  // Bare, they are others'.
  for (const id of [DISCORD, POST]) equal(first(id).key, "discord");
  equal(first(MEDIA).key, "twitter");
  for (const [text, key, reason] of [
    [`https://twitter.com/x/status/${DISCORD}`, "twitter", "It stands in an address of twitter.com."],
    [
      `https://social.example/@someone/${POST}`,
      "mastodon",
      "It stands in an address of social.example, as a post of Mastodon does.",
    ],
    [`tweet_id: ${DISCORD}`, "twitter", "The name before it is “tweet_id”."],
    [`{"ig_id":"${DISCORD}"}`, "instagram", "The name before it is “ig_id”."],
    [`${MEDIA}_25025320`, "instagram", "A user’s number follows it, as at Instagram."],
    [`<@!${DISCORD}>`, "discord", "It stands in a mention, as Discord writes them."],
  ] as const) {
    const { key: found, reasons } = first(text);
    equal(found, key, text);
    equal(reasons[0], reason);
  }
  equal(first("https://www.instagram.com/p/CGlkXabcDE1/").timestamp, Date.UTC(2020, 9, 21, 1, 23, 30, 703));
});

test("the name of something else speaks against an ID, a part of a word does not", () => {
  const found = (name: string) => [...eachIn(`${name}=${DISCORD} rest`, undefined, now)].length;
  for (const name of ["traceId", "trace_id", "content-length", "parent", "sha256"])
    equal(found(name), 0, name);
  for (const name of ["message", "shard", "discardedBy"]) equal(found(name), 1, name);
});

test("the evidence is the ID's own", () => {
  deepEqual(first(DISCORD).reasons, [
    "Worker 1, process 0 and increment 7 are usual for Discord.",
    "Its time is 30 April 2016, 10 years ago.",
  ]);
  const [, other] = findIn("1460323737035677698", undefined, now)[0]?.readings ?? [];
  match(other?.reasons.join(" ") ?? "", /worker 10/i);
  const future = findIn("1585841080431321088", undefined, now)[0]?.readings.find(
    ({ key }) => key === "discord",
  );
  deepEqual(
    [future?.plausible, future?.reasons[0]],
    [false, "Its time is 25 December 2026, in 24 days: in the future."],
  );
});

test("the hexadecimal text of a span is no ID", () => {
  for (const span of ["a2fb4a1d1a96d312", "e457b5a2e4d86bd3", "9c4f5d7e8a3b2c6d"]) {
    equal([...eachIn(`got ${span} there`, undefined, now)].length, 0, span);
    ok(findIn(span, undefined, now).every(({ readings }) => readings.every(({ plausible }) => !plausible)));
  }
});

test("a number that is something else is said to be so", () => {
  deepEqual(notes("1714564800"), ["As a Unix time in seconds it is 1 May 2024, 2 years ago."]);
  deepEqual(notes("1714564800123"), ["As a Unix time in milliseconds it is 1 May 2024, 2 years ago."]);
  deepEqual(notes("1714564800123456"), ["As a Unix time in microseconds it is 1 May 2024, 2 years ago."]);
  deepEqual(notes("1714564800123456789"), ["As a Unix time in nanoseconds it is 1 May 2024, 2 years ago."]);
  // A tweet's number is no time, although it could be one.
  deepEqual(notes("1460323737035677698"), []);
  deepEqual(notes("18446744073709551616"), ["It has more than 64 bits."]);
  deepEqual(notes("18446744073709551615"), []);
});

test("a number that JavaScript may have rounded is said to be so", () => {
  const rounded = String(Number(DISCORD));
  equal(rounded, "175928847299117060");
  deepEqual(notes("1305120710456668200"), [
    "It ends in zeros as a number does that JavaScript has rounded: its last digits may be lost.",
  ]);
  deepEqual(notes(DISCORD), []);
  deepEqual(notes("175928847299117001"), []);
});

test("a long number of a log is an ID, whatever its fields", () => {
  // From Discord's documentation: its fields are made up.
  const [found] = eachIn("member 290926798629997250 left", undefined, now);
  equal(found?.text, "290926798629997250");
});

test("a text alone is taken for what it could be; in a log it must be likely", () => {
  const small = "123456789";
  equal(findIn(small, undefined, now)[0]?.readings[0]?.plausible, false);
  deepEqual([...eachIn(`a ${small} b 1234567890123`, undefined, now)], []);
  deepEqual(findIn("", undefined, now), []);
  deepEqual(findIn("nothing in here is one", undefined, now), []);
});
