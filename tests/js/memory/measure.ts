/** The memory of a process after a full garbage collection. */
import { setTimeout as sleep } from "node:timers/promises";
import { seen } from "./modules.ts";

/** Bytes. */
export interface Held {
  /** Objects, strings, code. */
  heap: number;
  /** Memory that objects own outside the heap, such as the contents of arrays. */
  external: number;
  /** Memories of WebAssembly instances. */
  wasm: number;
}

/**
 * How much more than before may be held. The engine's own memory (compiled code, caches) changes by some tens of kilobytes at any
 * time, and sometimes by more. A leak grows with the work: the smallest one, a reference of 8 bytes for each operation,
 * exceeds this after 32,768 operations. The shortest work measured has more, or values of megabytes. The
 * engine uses no WebAssembly memory: that must be the same to the byte.
 */
export const SLACK: Held = { heap: 256 * 1024, external: 64 * 1024, wasm: 0 };

/** How often work is repeated if more is held: a leak grows each time, the engine's own memory does not. */
export const ATTEMPTS = 3;

/** After this many rounds of collecting, a process whose memory still changes counts as leaking. */
const MOST_ROUNDS = 40;

function held(): Held {
  const { heapUsed, external } = process.memoryUsage();
  const wasm = seen.memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  return { heap: heapUsed, external, wasm };
}

/** Collects garbage, and lets the callbacks of collected objects run. */
async function collect(): Promise<void> {
  if (globalThis.gc === undefined) {
    throw new Error("run with --expose-gc");
  }
  globalThis.gc();
  // Callbacks of collected objects are tasks; a timer runs after them.
  await sleep(1);
}

/** Collects until nothing changes any more, and returns what is left. */
export async function settle(): Promise<Held> {
  let before = held();
  for (let calm = 0, round = 0; calm < 3 && round < MOST_ROUNDS; round++) {
    await collect();
    const now = held();
    calm = Math.abs(now.heap - before.heap) < 4096 && now.external === before.external ? calm + 1 : 0;
    before = now;
  }
  return before;
}

/** The kinds of memory that have grown too much. */
export function excess(before: Held, after: Held): (keyof Held)[] {
  const parts = Object.keys(SLACK) as (keyof Held)[];
  return parts.filter((part) => after[part] - before[part] > SLACK[part]);
}
