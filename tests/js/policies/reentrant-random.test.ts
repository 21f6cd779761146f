/** The platform's source of randomness, mocked by a function that itself requests IDs: no duplicates, and typed errors. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { testsJs } from "../support/places.ts";

const run = promisify(execFile);

/** The JSON that a program prints. `mocked` runs inside `crypto.getRandomValues`, which fills the bytes afterwards. */
async function tell(mocked: string, program: string): Promise<unknown> {
  const code = `
    import { sno, snowflakeSI, twitter, ulidFlake } from "graupel";
    const g = ulidFlake.generator({ sequenceFull: "borrow", clock: () => 1.75e12, maxAheadMs: 1e9 });
    const fill = crypto.getRandomValues.bind(crypto);
    const inner = [];
    const inside = (work) => { try { inner.push(work()); } catch (error) { inner.push(error.code ?? String(error)); } };
    crypto.getRandomValues = (bytes) => { ${mocked}; return fill(bytes); };
    const answer = (value) => console.log(JSON.stringify(value));
    ${program}`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", code], {
    cwd: testsJs,
    timeout: 60_000,
  });
  return JSON.parse(stdout);
}

for (const [what, mocked] of Object.entries({
  "the same generator": "inside(() => g.next())",
  "a batch of it": "inside(() => g.nextMany(10))",
  "a given time": "inside(() => g.at(1.6e12))",
  "a snapshot": "inside(() => g.snapshot())",
  "another generator, and verbs":
    "inside(() => twitter.generator({ datacenterId: 1, workerId: 1 }).next()); inside(() => twitter.parse('12'))",
})) {
  test(`Ulid-Flake, where the source of randomness asks for ${what}`, async () => {
    const [count, unique, refused] = (await tell(
      mocked,
      `const ids = [];
       for (let i = 0; i < 20000; i++) ids.push(g.next());
       answer([ids.length, new Set(ids).size, inner.length > 0 && inner.every((end) => end === "RANDOM_FAILED")]);`,
    )) as [number, number, boolean];
    assert.deepEqual([count, unique, refused], [20_000, 20_000, true]);
  });
}

test("a refused batch goes back to where it was, though the source of randomness read other formats meanwhile", async () => {
  const [code, repeated, goes] = (await tell(
    "inside(() => twitter.inspect(175928847299117063n)); inside(() => ulidFlake.compose({ ticks: 1000, randomness: 5 }))",
    `let now = 1.75e12;
     const h = ulidFlake.generator({ clock: () => now, isolated: true, maxWaitMs: 5, sequenceFull: "wait" });
     const ids = [h.next()];
     let code; try { h.nextMany(100_000); } catch (error) { code = error.code; }
     // A millisecond may begin near its end, with room for one ID only.
     for (let i = 0; i < 100; i++) { now += 1; ids.push(...h.nextMany(1)); }
     const kept = ulidFlake.generator({ snapshot: h.snapshot(), isolated: true, clock: () => now + 1 });
     answer([code, ids.length - new Set(ids).size, ulidFlake.isValid(kept.next())]);`,
  )) as [string, number, boolean];
  assert.deepEqual([code, repeated, goes], ["CLOCK_STUCK", 0, true]);
});

test("sno, where the source of randomness asks for the partition that is being drawn", async () => {
  const seen = await tell(
    "inside(() => sno.next())",
    "answer([sno.isValid(sno.next()), inner, sno.isValid(sno.next())]);",
  );
  assert.deepEqual(seen, [true, ["RANDOM_FAILED"], true]);
});

test("a source that throws what it met inside is RANDOM_FAILED, and the generator goes on", async () => {
  const seen = await tell(
    "if (!globalThis.calm) g.next()",
    `let code; try { g.next(); } catch (error) { code = error.code; }
     globalThis.calm = true;
     answer([code, new Set(Array.from({ length: 100 }, () => g.next())).size]);`,
  );
  assert.deepEqual(seen, ["RANDOM_FAILED", 100]);
});
