/** Writes tests/js/www/corpus.json: `node --import tsx tests/js/www/corpus/write.ts`. */
import { writeFileSync } from "node:fs";
import type { Corpus } from "./entry.ts";
import { family, NOW } from "./family.ts";
import { foreign } from "./foreign.ts";
import { logs } from "./logs.ts";
import { none } from "./none.ts";
import { randomFrom } from "./random.ts";

/** The seed was drawn once, and stays. */
const random = randomFrom(1_288_834_974);
const corpus: Corpus = {
  now: NOW,
  entries: [...family(random), ...foreign(random), ...none(random)],
  logs: logs(random),
};
const linesOf = (all: readonly unknown[]) => all.map((one) => `    ${JSON.stringify(one)}`).join(",\n");
const { entries, logs: texts } = corpus;
const json = `{\n  "now": ${NOW},\n  "entries": [\n${linesOf(entries)}\n  ],\n  "logs": [\n${linesOf(texts)}\n  ]\n}\n`;
writeFileSync(new URL("../corpus.json", import.meta.url), json);
