/** Writes tests/js/www/corpus.json: `node --import tsx tests/js/www/corpus/write.ts`. */
import { writeFileSync } from "node:fs";
import type { Corpus } from "./entry.ts";
import { family, NOW } from "./family.ts";
import { foreign } from "./foreign.ts";
import { none } from "./none.ts";
import { randomFrom } from "./random.ts";

/** The seed was drawn once, and stays. */
const random = randomFrom(1_288_834_974);
const corpus: Corpus = { now: NOW, entries: [...family(random), ...foreign(random), ...none(random)] };
const lines = corpus.entries.map((entry) => `    ${JSON.stringify(entry)}`);
const json = `{\n  "now": ${corpus.now},\n  "entries": [\n${lines.join(",\n")}\n  ]\n}\n`;
writeFileSync(new URL("../corpus.json", import.meta.url), json);
