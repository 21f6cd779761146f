/**
 * How much memory the texts of batches keep alive. For each format with text IDs, prints the number
 * of bytes per text if all texts of a batch are kept, and if one in 64 is kept. Needs `node
 * --expose-gc`.
 */
import { sno } from "graupel/sno";
import { ulidFlake, ulidFlakeScalable } from "graupel/ulid-flake";
import type { AnyFormat } from "../support/any-format.ts";
import { settle } from "./measure.ts";

const COUNT = 200_000;
const SOME = 64;

const options = { sequenceFull: "borrow", maxAheadMs: 1e9, isolated: true } as const;
const formats = [sno, ulidFlake, ulidFlakeScalable] as unknown as AnyFormat[];

/** The number of bytes per text that `keep` takes from a batch. */
async function bytes(keep: () => unknown[]): Promise<number> {
  const before = await settle();
  const kept = keep();
  const after = await settle();
  return (after.heap - before.heap) / kept.length;
}

for (const { name, generator } of formats) {
  const maker = generator(options);
  for (const call of [maker.nextMany, maker.nextManyText]) {
    const some = () => call(COUNT).filter((_, i) => i % SOME === 0);
    // Excludes the code that the engine compiles at first.
    some();
    console.log(JSON.stringify({ name, all: await bytes(() => call(COUNT)), some: await bytes(some) }));
  }
}
