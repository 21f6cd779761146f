/** Sources of randomness that request IDs themselves or fail: no duplicates, only typed errors. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ulidFlake, ulidFlakeScalable } from "graupel";
import { outcome } from "../support/scripted-clock.ts";
import { told } from "../support/user-project.ts";

/**
 * Runs a program and returns the JSON that it prints. `mocked` runs inside
 * `crypto.getRandomValues`, before it fills the bytes.
 */
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

/**
 * A call inside the source may also end in an error, because a source that requests more randomness
 * recurses without end.
 */
const ASKING = `const ids = [];
  for (let i = 0; i < 5000; i++) ids.push(g.next());
  const all = [...ids, ...inner.flat().filter((end) => ulidFlake.isValid(end))];
  const failed = (end) => end === "RANDOM_FAILED" || String(end).startsWith("RangeError");
  answer([ids.length, all.length - new Set(all).size, inner.some(failed)]);`;

/** What the source of randomness does, a program, and its expected answer. */
const STORIES: Record<string, readonly [mocked: string, program: string, answer: unknown]> = {
  "Ulid-Flake, asked for the same generator": ["inside(() => g.next())", ASKING, [5000, 0, true]],
  "Ulid-Flake, asked for a batch of it": ["inside(() => g.nextMany(10))", ASKING, [5000, 0, true]],
  "Ulid-Flake, asked for a given time": ["inside(() => g.at(1.72e12))", ASKING, [5000, 0, true]],
  "Ulid-Flake, asked for other things: they are as they always are": [
    `inside(() => twitter.generator({ datacenterId: 1, workerId: 1 }).next());
     inside(() => twitter.parse("12")); inside(() => g.snapshot().format)`,
    `const ids = [];
     for (let i = 0; i < 5000; i++) ids.push(g.next());
     const made = inner.filter((end) => end > 2n ** 60n);
     answer([new Set(ids).size, made.length - new Set(made).size, made.length > 1, inner.slice(1, 3).map(String)]);`,
    [5000, 0, true, ["12", "ulid-flake"]],
  ],
  "a refused batch goes back to where it was, though the source read other formats": [
    "inside(() => twitter.inspect(175928847299117063n)); inside(() => ulidFlake.compose({ ticks: 1000, randomness: 5 }))",
    `let now = 1.75e12;
     const h = ulidFlake.generator({ clock: () => now, isolated: true, maxWaitMs: 5, sequenceFull: "wait" });
     const ids = [h.next()];
     let code; try { h.nextMany(100_000); } catch (error) { code = error.code; }
     // A millisecond may begin near its end, with room for one ID only.
     for (let i = 0; i < 100; i++) { now += 1; ids.push(...h.nextMany(1)); }
     const kept = ulidFlake.generator({ snapshot: h.snapshot(), isolated: true, clock: () => now + 1 });
     answer([code, ids.length - new Set(ids).size, ulidFlake.isValid(kept.next())]);`,
    ["CLOCK_STUCK", 0, true],
  ],
  "sno, asked for the partition that is being drawn: it is the same one": [
    "inside(() => sno.next())",
    `const ids = [sno.next(), ...inner.filter((end) => sno.isValid(end)), sno.next()];
     answer([ids.every(sno.isValid), ids.length - new Set(ids).size, new Set(ids.map((id) => sno.inspect(id).partition)).size]);`,
    [true, 0, 1],
  ],
  "sno alone, asked for the partition that it is drawing: the state that has issued stays": [
    "if (globalThis.alone && inner.length === 0) { inner.push(''); inner[0] = alone.next(); }",
    `globalThis.alone = sno.generator({ isolated: true, clock: () => 1.75e12 });
     const ids = [alone.next(), ...inner, alone.next()];
     answer([new Set(ids).size, new Set(ids.map((id) => sno.inspect(id).partition)).size]);`,
    [3, 1],
  ],
  "a source that asks for ever ends where the stack does, and the generator goes on": [
    "if (!globalThis.calm) g.next()",
    `let code; try { g.next(); } catch (error) { code = error.name; }
     globalThis.calm = true;
     answer([code, new Set(Array.from({ length: 100 }, () => g.next())).size]);`,
    ["RangeError", 100],
  ],
  "sno: a source that gives few bytes, as those of tests do, gives the partition": [
    "bytes.set([1, 2]); return bytes",
    "answer(sno.generator().partition);",
    258,
  ],
};

for (const [name, [mocked, program, wanted]] of Object.entries(STORIES)) {
  test(name, async () => assert.deepEqual(await tell(mocked, program), wanted));
}

test("each byte of a block is drawn once, from its end, until too few are left for a call", async () => {
  const [blocks, drawn] = (await told(`
    import { ulidFlake } from "graupel";
    const fill = crypto.getRandomValues.bind(crypto);
    const blocks = [];
    crypto.getRandomValues = (bytes) => { fill(bytes); blocks.push([...bytes]); return bytes; };
    let now = 1.75e12;
    const { next } = ulidFlake.generator({ isolated: true, clock: () => now++ });
    const drawn = Array.from({ length: 1000 }, () => ulidFlake.inspect(next()).randomness);
    console.log(JSON.stringify([blocks, drawn]));`)) as [number[][], number[]];
  // A block serves 678 draws of 3 bytes. The last 14 of its 2,048 bytes may be too few.
  const expected = blocks.flatMap((bytes) =>
    Array.from({ length: 678 }, (_, i) => {
      const [low = 0, middle = 0, high = 0] = bytes.slice(2048 - 3 * (i + 1));
      return low | (middle << 8) | ((high & 15) << 16);
    }),
  );
  assert.deepEqual(drawn, expected.slice(0, drawn.length));
});

test("zeros among the platform's bytes are drawn again", async () => {
  const [first, second] = (await told(`
    import { ulidFlake } from "graupel";
    // After the three bytes of the start, a step draws 20 zeros, and then 5.
    crypto.getRandomValues = (bytes) => bytes.fill(5).fill(0, 2025, 2045);
    const { nextMany } = ulidFlake.generator({ isolated: true, clock: () => 1.75e12 });
    console.log(JSON.stringify(nextMany(2).map((id) => ulidFlake.inspect(id).randomness)));`)) as number[];
  assert.equal((second as number) - (first as number), 5);
});

/** Ways in which a source fails. The code receives `bytes` and a `fill` that works. */
const FAILURES = {
  "fills nothing": "return bytes",
  "returns an array of its own": "return fill(new Uint8Array(bytes.length))",
  "fills the array later": "return Promise.resolve().then(() => fill(bytes))",
  "writes zeros": "return bytes.fill(0)",
  throws: 'throw new Error("none")',
  "detaches the buffer": "fill(bytes); structuredClone(bytes.buffer, { transfer: [bytes.buffer] })",
};
const PARTLY = {
  "fills a part of a block": "fill(bytes.subarray(0, bytes.length > 1000 ? 1024 : 0)); return bytes",
};

for (const [what, body] of Object.entries({ ...FAILURES, ...PARTLY })) {
  test(`a platform whose source ${what}: no ID, until the source works again`, async () => {
    // The source fails from the first draw on or from the second.
    for (const good of [0, 1]) {
      const seen = await told(`
        import { mastodon, sno, ulidFlake, ulidFlakeScalable } from "graupel";
        const fill = crypto.getRandomValues.bind(crypto);
        let calls = 0;
        crypto.getRandomValues = (bytes) => { if (calls++ < ${good}) return fill(bytes); ${body}; };
        const code = (work) => { try { return typeof work(); } catch (error) { return error.code; } };
        const isolated = true;
        const flake = ulidFlake.generator();
        const before = Array.from({ length: ${good} }, () => flake.next().length);
        const all = [
          () => sno.generator().partition, () => sno.generator({ isolated }).next(),
          () => { for (let i = 0; i < 3000; i++) flake.next(); },
          () => flake.nextMany(3000), () => ulidFlakeScalable.next(),
          () => mastodon.generator({ isolated, sequenceStart: "random" }).next(),
        ];
        const codes = all.map(code);
        crypto.getRandomValues = fill;
        console.log(JSON.stringify([before, codes, all.map(code)]));`);
      const [before, codes, after] = seen as [number[], string[], string[]];
      assert.deepEqual(before, good === 0 ? [] : [13]);
      // The rest of a block that was filled is still random.
      assert.deepEqual(codes.slice(0, 6 - good), Array(6 - good).fill("RANDOM_FAILED"));
      assert.deepEqual(after, ["number", "string", "undefined", "object", "string", "bigint"]);
    }
  });
}

for (const [what, body] of Object.entries(FAILURES)) {
  test(`a user's source that ${what} after some draws: no ID`, () => {
    const bad = new Function("bytes", "fill", body);
    const fill = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);
    for (const format of [ulidFlake, ulidFlakeScalable]) {
      for (const good of [0, 1, 2]) {
        let [now, draws] = [1.75e12, 0];
        const random = (bytes: Uint8Array) => void (draws++ < good ? bytes.fill(draws) : bad(bytes, fill));
        const generator = format.generator({ random, clock: () => now++ });
        const ends = Array.from({ length: 20 }, () => {
          try {
            return String(outcome(() => generator.next()));
          } catch (error) {
            return (error as Error).message;
          }
        });
        // A source that has returned other bytes may return up to 16 bytes of zeros.
        const zeros =
          what === "writes zeros" && good > 0 ? Math.floor(16 / (format === ulidFlake ? 3 : 2)) : 0;
        const refused = what === "throws" ? "none" : "RANDOM_FAILED";
        const wanted = ends.map((_, i) => (i < good + zeros ? "ID" : refused));
        assert.deepEqual(
          ends.map((end) => (format.isValid(end) ? "ID" : end)),
          wanted,
        );
      }
    }
  });
}

test("a user's source may return zeros among other bytes, and is asked only for the bytes that are needed", () => {
  const script = [[0, 0, 9], [0, 0, 0], [7], [0], [5], [0, 0, 0]];
  let now = 1.75e12;
  const random = (bytes: Uint8Array) => {
    const draw = script.shift() as number[];
    assert.equal(bytes.length, draw.length);
    bytes.set(draw);
  };
  const generator = ulidFlake.generator({ random, clock: () => now });
  const next = (step: number) => {
    now += step;
    return ulidFlake.inspect(generator.next()).randomness;
  };
  assert.deepEqual([0, 1, 0, 0, 1].map(next), [9, 0, 7, 12, 0]);
  assert.deepEqual(script, []);
});

test("a user's source that fills nothing is asked 64 times before the call fails", () => {
  const asked: number[] = [];
  const random = (bytes: Uint8Array) => void asked.push(bytes.length);
  const generator = ulidFlake.generator({ random, clock: () => 1.75e12 });
  assert.equal(
    outcome(() => generator.next()),
    "RANDOM_FAILED",
  );
  assert.deepEqual(asked, new Array(64).fill(3));
});
