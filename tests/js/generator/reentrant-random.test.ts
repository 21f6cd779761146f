/** Sources of randomness that request IDs themselves, or never give any: no duplicates, and typed errors. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ulidFlake } from "graupel";
import { told } from "../support/program.ts";

/** The JSON that a program prints. `mocked` runs inside `crypto.getRandomValues`, which fills the bytes afterwards. */
const tell = (mocked: string, program: string): Promise<unknown> =>
  told(`
    import { sno, twitter, ulidFlake } from "graupel";
    const g = ulidFlake.generator({ sequenceFull: "borrow", clock: () => 1.75e12, maxAheadMs: 1e9 });
    const fill = crypto.getRandomValues.bind(crypto);
    const inner = [];
    const inside = (work) => { try { inner.push(work()); } catch (error) { inner.push(error.code ?? String(error)); } };
    crypto.getRandomValues = (bytes) => { ${mocked}; return fill(bytes); };
    const answer = (value) => console.log(JSON.stringify(value));
    ${program}`);

/** How a call inside the source may end: in IDs, or in these, because a source that asks for more randomness never comes back. */
const ENDS = `(end) => end === "RANDOM_FAILED" || String(end).startsWith("RangeError")`;

for (const [what, mocked] of Object.entries({
  "the same generator": "inside(() => g.next())",
  "a batch of it": "inside(() => g.nextMany(10))",
  "a given time": "inside(() => g.at(1.72e12))",
})) {
  test(`Ulid-Flake, where the source of randomness asks for ${what}`, async () => {
    const [count, repeated, refused] = (await tell(
      mocked,
      `const ids = [];
       for (let i = 0; i < 5000; i++) ids.push(g.next());
       const refused = inner.filter(${ENDS});
       const all = [...ids, ...inner.flat().filter((end) => ulidFlake.isValid(end))];
       answer([ids.length, all.length - new Set(all).size, refused.length > 0]);`,
    )) as [number, number, boolean];
    assert.deepEqual([count, repeated, refused], [5000, 0, true]);
  });
}

test("Ulid-Flake, where the source of randomness asks for other things: they are as they always are", async () => {
  const seen = await tell(
    `inside(() => twitter.generator({ datacenterId: 1, workerId: 1 }).next());
     inside(() => twitter.parse("12")); inside(() => g.snapshot().format)`,
    `const ids = [];
     for (let i = 0; i < 5000; i++) ids.push(g.next());
     const made = inner.filter((end) => end > 2n ** 60n);
     answer([new Set(ids).size, made.length - new Set(made).size, made.length > 1, inner.slice(1, 3).map(String)]);`,
  );
  assert.deepEqual(seen, [5000, 0, true, ["12", "ulid-flake"]]);
});

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

test("sno, where the source of randomness asks for the partition that is being drawn: it is the same one", async () => {
  const [valid, repeated, partitions] = (await tell(
    "inside(() => sno.next())",
    `const ids = [sno.next(), ...inner.filter((end) => sno.isValid(end)), sno.next()];
     answer([ids.every(sno.isValid), ids.length - new Set(ids).size, new Set(ids.map((id) => sno.inspect(id).partition)).size]);`,
  )) as [boolean, number, number];
  assert.deepEqual([valid, repeated, partitions], [true, 0, 1]);
});

test("a source that asks for ever ends where the stack does, and the generator goes on", async () => {
  const seen = await tell(
    "if (!globalThis.calm) g.next()",
    `let code; try { g.next(); } catch (error) { code = error.name; }
     globalThis.calm = true;
     answer([code, new Set(Array.from({ length: 100 }, () => g.next())).size]);`,
  );
  assert.deepEqual(seen, ["RangeError", 100]);
});

test("a user's source that gives only zeros is asked 64 times, for bytes each time, and then has failed", () => {
  const asked: number[] = [];
  const random = (bytes: Uint8Array) => {
    asked.push(bytes.length);
  };
  const generator = ulidFlake.generator({ random, clock: () => 1.75e12 });
  generator.next();
  asked.length = 0;
  assert.throws(() => generator.next(), { code: "RANDOM_FAILED" });
  assert.equal(asked.length, 64);
  assert.ok(asked.every((length) => length > 0));
});
