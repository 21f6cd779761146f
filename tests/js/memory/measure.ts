/**
 * Measures the memory of a process after a full garbage collection, and records the modules that it
 * compiles. Must be imported before the package is first used, because the package exposes neither.
 */
import { setTimeout as sleep } from "node:timers/promises";

/**
 * The bytes of the WebAssembly modules compiled, and the memories of the instances created, since
 * this file was loaded.
 */
export const seen = { compiled: [] as BufferSource[], memories: [] as WebAssembly.Memory[] };

const otherwise = () => {
  throw new Error("the package compiles its module in one way");
};
Object.assign(WebAssembly, {
  Module: class extends WebAssembly.Module {
    constructor(bytes: BufferSource) {
      super(bytes);
      seen.compiled.push(bytes);
    }
  },
  Instance: class extends WebAssembly.Instance {
    constructor(module: WebAssembly.Module, imports: WebAssembly.Imports) {
      super(module, imports);
      for (const made of Object.values(this.exports)) {
        if (made instanceof WebAssembly.Memory) seen.memories.push(made);
      }
    }
  },
  compile: otherwise,
  instantiate: otherwise,
});

/** Memory in bytes. */
export interface Held {
  /** Objects, strings and code. */
  heap: number;
  /** Memory that objects own outside the heap, such as the contents of arrays. */
  external: number;
  /** The memories of WebAssembly instances. */
  wasm: number;
}

/** If the memory still changes after this many collections, the process counts as leaking. */
const MOST_ROUNDS = 40;

export function held(): Held {
  const { heapUsed, external } = process.memoryUsage();
  const wasm = seen.memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  return { heap: heapUsed, external, wasm };
}

/**
 * Collects garbage until nothing changes, and returns the memory that is left. Needs `node
 * --expose-gc`.
 */
export async function settle(): Promise<Held> {
  let before = held();
  for (let calm = 0, round = 0; calm < 3 && round < MOST_ROUNDS; round++) {
    (globalThis as unknown as { gc(): void }).gc();
    // Callbacks for collected objects are tasks; a timer runs after them.
    await sleep(1);
    const now = held();
    calm = Math.abs(now.heap - before.heap) < 4096 && now.external === before.external ? calm + 1 : 0;
    before = now;
  }
  return before;
}
