/** What a process holds in memory once everything that can be collected has been. */
import { setTimeout as sleep } from "node:timers/promises";
import { seen } from "./modules.ts";

/** Bytes. */
export interface Held {
  /** Objects, strings, code. */
  heap: number;
  /** What objects own outside the heap, the contents of arrays included. */
  external: number;
  /** Memories of WebAssembly instances. */
  wasm: number;
}

/**
 * How much more than before may be held. What an engine keeps for itself (code that it has compiled, or thrown away;
 * caches) moves by some tens of kilobytes from one moment to the next, and now and then by more. A leak grows with the
 * work: the smallest one, a reference of 8 bytes kept by every operation (4, where pointers are compressed), is more than this
 * after 65,536 of them, and the shortest work measured has several times as many operations, or else values of
 * megabytes. WebAssembly's memory is not the engine's: it must be what it was, to the byte.
 */
export const SLACK: Held = { heap: 256 * 1024, external: 64 * 1024, wasm: 0 };

/** How often work is done again if more is held: a leak grows each time, what an engine keeps for itself does not. */
export const ATTEMPTS = 3;

/** Rounds of collecting after which a process that still changes counts as one that leaks. */
const MOST_ROUNDS = 40;

function held(): Held {
  const { heapUsed, external } = process.memoryUsage();
  const wasm = seen.memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  return { heap: heapUsed, external, wasm };
}

/** Collects, and lets the callbacks of collected objects run. */
export async function collect(): Promise<void> {
  if (globalThis.gc === undefined) {
    throw new Error("run with --expose-gc");
  }
  globalThis.gc();
  // Callbacks of collected objects are tasks of their own; a timer comes after them.
  await sleep(1);
}

/** Collects until that changes nothing any more, and tells what is left. */
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

/** The parts of which more is held than there may be. */
export function excess(before: Held, after: Held): (keyof Held)[] {
  const parts = Object.keys(SLACK) as (keyof Held)[];
  return parts.filter((part) => after[part] - before[part] > SLACK[part]);
}
