/**
 * The in-memory store passes the conformance suite even if it is slow, and each copy with a planted
 * mistake fails. For each mistake, mistakes.json has its name, a part of the names of the checks
 * that find it, the edits of the source (pairs of old and new text), and the kind of store to which
 * it applies.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { build } from "esbuild";
import { checks } from "../../../js/lease/conformance.ts";
import { memory } from "../../../js/lease/memory.ts";
import type { LeaseStore } from "../../../js/lease/types.ts";
import { root } from "../support/places.ts";

const KINDS = ["durable", "forgetful"] as const;
const folder = join(root, "js", "lease");

for (const kind of KINDS) {
  describe(`a ${kind} store in memory`, { concurrency: true }, () => {
    for (const { name, run } of checks(memory({ durable: kind === "durable" }), { ttlMs: 1000 }))
      test(name, run);
  });
}

type Mistake = readonly [what: string, by: string, edits: readonly string[], only?: (typeof KINDS)[number]];
const MISTAKES = JSON.parse(
  readFileSync(join(import.meta.dirname, "mistakes.json"), "utf8"),
) as readonly Mistake[];

/** `memory` with edits to its source. The text of each edit must exist. */
async function mistaken(edits: readonly string[]): Promise<typeof memory> {
  const left = new Set(edits.filter((_, i) => i % 2 === 0));
  const edited = (path: string) => {
    let contents = readFileSync(path, "utf8");
    for (let i = 0; i < edits.length; i += 2) {
      const [before, after] = edits.slice(i) as [string, string];
      if (contents.includes(before)) left.delete(before);
      contents = contents.replaceAll(before, () => after);
    }
    const pause = "const pause = () => new Promise((done) => setTimeout(done, 1 + Math.random() * 5));\n";
    return { contents: pause + contents, loader: "ts" } as const;
  };
  const { outputFiles } = await build({
    entryPoints: [join(folder, "memory.ts")],
    bundle: true,
    write: false,
    format: "esm",
    logLevel: "error",
    plugins: [
      {
        name: "edited",
        setup: (build) => build.onLoad({ filter: /(memory|store-rules)\.ts$/ }, ({ path }) => edited(path)),
      },
    ],
  });
  assert.deepEqual([...left], [], "there is no such text");
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString("base64");
  return (await import(`data:text/javascript;base64,${code}`)).memory;
}

/**
 * Runs the checks with this text in their names and returns their errors. They run concurrently,
 * because they mostly wait.
 */
async function found(store: LeaseStore, by: string, ttlMs: number): Promise<string[]> {
  const chosen = checks(store, { ttlMs }).filter(({ name }) => name.includes(by));
  assert.ok(chosen.length > 0, `no check has "${by}" in its name`);
  const outcomes = await Promise.allSettled(chosen.map(({ run }) => run()));
  return outcomes.flatMap((one) => (one.status === "rejected" ? [`${one.reason}`] : []));
}

// Each mistake is tested in the kind of store to which it applies. If it applies to both kinds,
// they alternate.
describe("a mistake is found", { concurrency: 16 }, () => {
  for (const [i, [what, by, edits, kind = KINDS[i % 2]]] of MISTAKES.entries()) {
    test(`${what}, in a ${kind} store`, async () => {
      const store = (await mistaken(edits))({ durable: kind === "durable" });
      const errors = await found(store, by, 1500);
      assert.ok(!errors.every((error) => error.includes("answers too slowly")), errors.join("\n"));
    });
  }
});

/**
 * A store whose calls take as long as `late` returns. Like MariaDB, it creates the namespace before
 * the delay and grants a number after it.
 */
function slow(durable: boolean, late: (ttlMs: number) => number): LeaseStore {
  const store = memory({ durable });
  return {
    ...store,
    async acquire(request) {
      // No number is this low, so this only creates the namespace.
      await store.acquire({ ...request, last: -1 });
      await delay(late(request.ttlMs));
      const answer = await store.acquire(request);
      await delay(late(request.ttlMs));
      const isOver = "until" in answer && answer.until <= answer.now;
      return isOver ? { ...answer, from: answer.until } : answer;
    },
    async renew(request) {
      await delay(late(request.ttlMs));
      return store.renew(request);
    },
  };
}

describe("a store that is too slow for the time to live gets a longer one", { concurrency: true }, () => {
  for (const kind of KINDS) {
    test(`a ${kind} store`, async () => {
      const store = slow(kind === "durable", () => Math.random() * 120);
      assert.deepEqual(await found(store, "", 40), []);
    });
  }
});

test("a store that is too slow for any time to live is told so", async () => {
  const errors = await found(
    slow(false, (ttlMs) => 2 * ttlMs),
    "a renewal extends",
    20,
  );
  assert.deepEqual(errors, ["Error: the store answers too slowly for a ttlMs of 20"]);
});
