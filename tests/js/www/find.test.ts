/** The finder beside the corpus: the right first answer, its place and its time. */
import { ok } from "node:assert/strict";
import { test } from "node:test";
import { type Found, findIn } from "../../../www/src/find/find.ts";
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
