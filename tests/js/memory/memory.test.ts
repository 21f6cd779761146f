/**
 * Memory does not grow, and all entries together compile one module. `GRAUPEL_SHARE=1` runs all of
 * the work: 100 million IDs, some millions of generators, and arguments of many megabytes.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as graupel from "graupel";
import { named } from "../support/layouts.ts";
import { all, type Work } from "./work.ts";

const share = Number(process.env.GRAUPEL_SHARE ?? 0.01);
assert.ok(share > 0 && share <= 1, `GRAUPEL_SHARE: expected a number above 0 and at most 1, got ${share}`);

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** The number of modules compiled, and the memories of the instances created. */
let compiled = 0;
const memories: WebAssembly.Memory[] = [];
const otherwise = () => {
  throw new Error("the package compiles its module in one way");
};
Object.assign(WebAssembly, {
  Module: class extends WebAssembly.Module {
    constructor(bytes: BufferSource) {
      super(bytes);
      compiled++;
    }
  },
  Instance: class extends WebAssembly.Instance {
    constructor(module: WebAssembly.Module, imports: WebAssembly.Imports) {
      super(module, imports);
      for (const made of Object.values(this.exports)) {
        if (made instanceof WebAssembly.Memory) memories.push(made);
      }
    }
  },
  compile: otherwise,
  instantiate: otherwise,
});

/**
 * The bytes of objects and code, of memory outside the heap, such as the contents of arrays, and of
 * the memories of WebAssembly instances.
 */
function held() {
  const { heapUsed: heap, external } = process.memoryUsage();
  return { heap, external, wasm: memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0) };
}
type Held = ReturnType<typeof held>;

/** Collects garbage until nothing changes, and returns the memory that is left. */
async function settle(): Promise<Held> {
  let before = held();
  for (let calm = 0, round = 0; calm < 3 && round < 40; round++) {
    collect();
    // Callbacks for collected objects are tasks; a timer runs after them.
    await sleep(1);
    const now = held();
    calm = Math.abs(now.heap - before.heap) < 4096 && now.external === before.external ? calm + 1 : 0;
    before = now;
  }
  return before;
}

/**
 * How much the memory may grow. The engine's memory (compiled code, caches) changes by some tens of
 * kilobytes at any time, and sometimes by more. A leak grows with the work: the smallest one, a
 * reference of 8 bytes per operation, exceeds this limit after 32,768 operations. The shortest work
 * has more operations, or values of megabytes. The engine itself uses no WebAssembly memory, so
 * that must be the same to the byte.
 */
const SLACK: Held = { heap: 256 * 1024, external: 64 * 1024, wasm: 0 };
const PARTS = Object.keys(SLACK) as (keyof Held)[];

/** A leak grows each time the work is repeated; the engine's memory does not. */
const ATTEMPTS = 3;

/** Does the work. Returns the parts of the memory that grew at each attempt. */
async function grownBy({ count, run }: Work, t: TestContext): Promise<readonly string[]> {
  // A part of the work creates everything that is created only once.
  await run(Math.min(count, Math.max(count / 10, 20_000)));
  let before = await settle();
  for (let attempt = 1; ; attempt++) {
    await run(count);
    const after = await settle();
    const kilobytes = PARTS.map((part) => `${part} ${((after[part] - before[part]) / 1024).toFixed(1)} kB`);
    t.diagnostic(`${count.toLocaleString("en")}: ${kilobytes.join(", ")}`);
    const grown = PARTS.filter((part) => after[part] - before[part] > SLACK[part]);
    if (grown.length === 0 || attempt === ATTEMPTS) return grown;
    before = after;
  }
}

for (const work of all(share)) {
  test(`memory does not grow: ${work.name}`, async (t) => {
    assert.deepEqual(await grownBy(work, t), []);
  });
}

test("the smallest leak is found: a reference that every operation keeps", async (t) => {
  const kept: unknown[] = [];
  const run = (count: number) => {
    for (let i = 0; i < count; i++) kept.push(graupel);
  };
  assert.deepEqual(await grownBy({ name: "", count: 300_000, run }, t), ["heap"]);
});

test("all entries use one module", () => {
  assert.deepEqual([compiled, memories.length], [1, 1]);
});

/** The bytes for each value that `keep` makes. */
async function bytesOf(keep: () => readonly unknown[]): Promise<number> {
  const before = await settle();
  const kept = keep();
  return ((await settle()).heap - before.heap) / kept.length;
}

for (const { name, generator } of [graupel.sno, graupel.ulidFlake]) {
  for (const call of ["nextMany", "nextManyText"] as const) {
    test(`${name}, ${call}: a text that is kept does not keep the rest of its batch`, async (t) => {
      const many = generator({ sequenceFull: "borrow", maxAheadMs: 1e9, isolated: true })[call];
      const some = () => many(200_000).filter((_, i) => i % 64 === 0);
      // Excludes the code that the engine compiles at first.
      some();
      const [each, one] = [await bytesOf(() => many(200_000)), await bytesOf(some)];
      t.diagnostic(`${each} bytes per text, and ${one} if one in 64 is kept`);
      // A flat text of 13 to 16 characters takes 32 bytes, and its array element 8. A slice takes
      // the same and keeps the whole text alive; so does a concatenation. If one text in 64 is
      // kept, a slice would keep 64 texts alive: 1,000 bytes. Because so few are kept, the limit
      // leaves room for what the engine compiles meanwhile.
      assert.ok(each < 48 && one < 200);
    });
  }
}

const MAKES = {
  sno: () => graupel.sno.generator({ partition: 1 }),
  discord: () => graupel.discord.generator({ internalWorkerId: 1, internalProcessId: 1 }),
};
for (const [name, make] of Object.entries(MAKES)) {
  test(`${name}: generators of one identity share their methods`, async (t) => {
    const many = () => Array.from<unknown, unknown>({ length: 20_000 }, make);
    many();
    const each = await bytesOf(many);
    t.diagnostic(`${each} bytes per generator`);
    assert.ok(each < 600);
  });
}

test("no text of any size is kept by the engine's regular expressions", () => {
  const size = 1_000_000;
  const { sno, discord, ulidFlake, nanoflake, snowflakeSI } = graupel;
  for (const format of [sno, discord, ulidFlake, nanoflake({ epoch: 0 }), snowflakeSI({ epoch: 1.6e12 })]) {
    for (const letter of ["7", "z", "/", "é"]) {
      // Engines keep the last text that matched.
      /x/.test("x");
      assert.throws(() => format.parse(letter.repeat(size)), { name: "GraupelError" });
      assert.ok(RegExp.input.length < 1000, `${format.name}, "${letter}": ${RegExp.input.length} characters`);
    }
  }
});

test("V8 keeps no format as a hash table, in which it takes longer to find a method", () => {
  setFlagsFromString("--allow-natives-syntax");
  const isTable = new Function("object", "return !%HasFastProperties(object)") as (object: object) => boolean;
  assert.ok(isTable(Object.create(null)));
  for (const { name: label, format } of named()) {
    assert.ok(!isTable(format), label);
    assert.ok(!isTable(format.text), `${label}, text`);
  }
});
