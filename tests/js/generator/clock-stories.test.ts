/**
 * Plays the stories in tests/stories with the package, under every policy and with every call. The
 * Rust tests play them with the core.
 */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { SECTIONS, subjectsOf, tellings } from "./story.ts";
import { Player } from "./story-player.ts";

// A random start is the highest possible one.
mock.method(globalThis.crypto, "getRandomValues", (bytes: Uint8Array) => bytes.fill(0xff));

// Collecting the stack of an error takes longer than the failed call. A failure names its story.
Error.stackTraceLimit = 0;

for (const [section, stories] of SECTIONS) {
  for (const story of stories.filter((story) => subjectsOf(story).length > 0)) {
    test(`${section}: ${story.name}`, async () => {
      const heard = new Set<string>();
      for (const subject of subjectsOf(story)) {
        for (const [policy, call, row] of tellings(subject, story)) {
          heard.add(row);
          const name = `${subject.name}, ${policy}, ${call}: ${story.script}`;
          const found = await new Player(subject, story, policy, call).play().catch((error) => {
            throw new Error(`${name}: ${error.message}`, { cause: error });
          });
          assert.equal(found, story.answers[row], name);
        }
      }
      assert.deepEqual([...heard].sort(), Object.keys(story.answers).sort(), "rows that nobody hears");
    });
  }
}
