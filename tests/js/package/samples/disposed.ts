// A lease that is released at the end of its block, if the compiler supports `await using`.

import { twitter } from "graupel";
import { type Lease, lease, memory } from "graupel/lease";

export async function work(): Promise<bigint> {
  await using worker = await lease(memory(), { format: twitter, namespace: "orders" });
  return twitter.generator({ lease: worker }).next();
}

export const dispose = (worker: Lease): (() => Promise<void>) => worker[Symbol.asyncDispose];
