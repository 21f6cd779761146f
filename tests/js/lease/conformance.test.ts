/**
 * In scripted time, the in-memory store passes the conformance suite even if it is slow, and each
 * copy with a planted mistake fails. For each mistake, mistakes.json has its name, a part of the
 * names of the checks that find it, the edits of the source (pairs of old and new text), and the
 * kind of store to which it applies.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { checks } from "../../../js/lease/conformance.ts";
import { memory } from "../../../js/lease/memory.ts";
import type { LeaseStore } from "../../../js/lease/types.ts";
import { root } from "../support/places.ts";
import { replace } from "../support/replace.ts";
import { ScriptedLeases } from "./scripted-leases.ts";

const KINDS = ["durable", "forgetful"] as const;
const folder = join(root, "js", "lease");

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Runs the checks with this text in their names, all at the same time. Returns their errors. An
 * acquisition takes a millisecond, so that time passes between two of them.
 */
async function found(given: LeaseStore, ttlMs: number, by = ""): Promise<string[]> {
  const acquire: LeaseStore["acquire"] = (request) => wait(1).then(() => given.acquire(request));
  const store = { ...given, acquire };
  const chosen = checks(store, { ttlMs }).filter(({ name }) => name.includes(by));
  assert.ok(chosen.length > 0, `no check has "${by}" in its name`);
  const scripted = new ScriptedLeases();
  const restore = replace(
    [globalThis, "setTimeout", (run: () => void, ms: number) => scripted.schedule.after(ms, run)],
    [performance, "now", () => scripted.schedule.now],
    [Date, "now", () => Math.floor(scripted.now())],
  );
  try {
    const outcomes = await scripted.settle(Promise.allSettled(chosen.map(({ run }) => run())));
    return outcomes.flatMap((one, i) =>
      one.status === "rejected" ? [`${chosen[i]?.name}: ${one.reason}`] : [],
    );
  } finally {
    restore();
  }
}

/**
 * A store whose calls take as long as `late` returns. Like MariaDB, it creates the namespace before
 * the delay and grants a number after it.
 */
function slow(store: LeaseStore, late: (ttlMs: number) => number): LeaseStore {
  return {
    ...store,
    async acquire(request) {
      // No number is this low, so this only creates the namespace.
      await store.acquire({ ...request, last: -1 });
      await wait(late(request.ttlMs));
      const answer = await store.acquire(request);
      await wait(late(request.ttlMs));
      const isOver = "until" in answer && answer.until <= answer.now;
      return isOver ? { ...answer, from: answer.until } : answer;
    },
    async renew(request) {
      await wait(late(request.ttlMs));
      return store.renew(request);
    },
  };
}

for (const kind of KINDS) {
  test(`a ${kind} store in memory`, async () => {
    assert.deepEqual(await found(memory({ durable: kind === "durable" }), 1000), []);
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

// Each mistake is tested in the kind of store to which it applies. If it applies to both kinds,
// they alternate.
for (const [i, [what, by, edits, kind = KINDS[i % 2]]] of MISTAKES.entries()) {
  test(`a mistake is found: ${what}, in a ${kind} store`, async () => {
    const store = (await mistaken(edits))({ durable: kind === "durable" });
    assert.notDeepEqual(await found(store, 1500, by), []);
  });
}

for (const kind of KINDS) {
  test(`a ${kind} store that is too slow for the time to live gets a longer one`, async () => {
    const store = slow(memory({ durable: kind === "durable" }), () => Math.random() * 120);
    assert.deepEqual(await found(store, 40), []);
  });
}

test("a store that is too slow for any time to live is told so", async () => {
  const store = slow(memory({ durable: false }), (ttlMs) => 2 * ttlMs);
  const errors = await found(store, 20, "a renewal extends");
  assert.match(String(errors), /: the store answers too slowly for a ttlMs of 20$/);
});
