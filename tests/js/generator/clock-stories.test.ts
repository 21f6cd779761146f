/** Plays the stories of tests/stories with the package, under every policy and by every call. Rust plays them with the core. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../support/places.ts";
import { CALLS } from "./scripted-clock.ts";
import { covers, Player, policiesOf, type Story, subjectsOf } from "./story-player.ts";

const directory = join(root, "tests", "stories");

for (const file of readdirSync(directory).filter((name) => name.endsWith(".json"))) {
  const sections = JSON.parse(readFileSync(join(directory, file), "utf8")) as Record<string, Story[]>;
  for (const [section, stories] of Object.entries(sections)) {
    for (const story of stories.filter(({ interval }) => interval === undefined)) {
      test(`${section}: ${story.name}`, async () => {
        const heard = new Set<string>();
        for (const subject of subjectsOf(story)) {
          const policies = policiesOf(subject).filter((policy) => covers(story.under ?? "*", policy));
          for (const policy of policies) {
            const [row, ...others] = Object.keys(story.answers).filter((row) => covers(row, policy));
            assert.ok(row !== undefined && others.length === 0, `rows for ${policy}`);
            heard.add(row);
            for (const call of CALLS) {
              const name = `${subject.name}, ${policy}, ${call}: ${story.script}`;
              const found = await new Player(subject, story, policy, call).play().catch((error) => {
                throw new Error(`${name}: ${error.message}`, { cause: error });
              });
              assert.equal(found, story.answers[row], name);
            }
          }
        }
        assert.deepEqual([...heard].sort(), Object.keys(story.answers).sort(), "rows that nobody hears");
      });
    }
  }
}
