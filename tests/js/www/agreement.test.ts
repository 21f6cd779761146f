/** The page knows more than `identify` of the package: what stands around an ID. Of a bare ID both say the same. */
import { deepEqual, ok } from "node:assert/strict";
import { test } from "node:test";
import { identify } from "graupel";
import { findIn } from "../../../www/src/find/find.ts";
import type { Corpus } from "./corpus/entry.ts";
import given from "./corpus.json" with { type: "json" };

const { now, entries } = given as Corpus;

test("of each bare ID of the corpus that the package reads, `identify` and the page give the same first answer", (context) => {
  context.mock.timers.enable({ apis: ["Date"], now });
  const bare = entries.filter(({ text, answer }) => identify(text).some(({ name }) => name === answer));
  ok(bare.length >= 80);
  const different = bare.flatMap(({ text }) => {
    const [first] = identify(text);
    const [page] = findIn(text, undefined, now)[0]?.readings ?? [];
    // What the page takes for no ID, it does not rank.
    if (page === undefined || !page.plausible || first?.name === page.key) return [];
    return [`${text}: ${first?.name} (${first?.reason}), and on the page ${page.key}`];
  });
  deepEqual(different, []);
});
