/** A generator: its methods. Each operation has its own file. */
import type { Id } from "../core/id-types.js";
import { opened } from "../identity/holder.js";
import type { State } from "../identity/shared.js";
import type { TypedGenerator } from "../types.js";
import { nextAsync } from "./async.js";
import { at } from "./backfill.js";
import { nextMany, plain } from "./batch.js";
import type { Maker } from "./maker.js";
import { next } from "./next.js";
import { stats } from "./stats.js";

/** The methods of a generator. Those of texts have no `nextTyped`. Returned as they are made: a copy costs more than the rest. */
export function methodsOf<I extends Id, Typed, Snapshot>(
  maker: Maker<I, Typed>,
  takeSnapshot: (state: State) => Snapshot,
): TypedGenerator<I, Typed, Snapshot> {
  const { schema, bitsOf } = maker;
  const { makeTyped } = maker.idType;
  // A text is its own text, whatever the radix.
  const text = (id: I) => (id as bigint).toString(schema.radix);
  const one = (...call: unknown[]) => next(maker, bitsOf(call));
  const many = (n: number, ...call: unknown[]) => nextMany(maker, n, bitsOf(call), plain<I>);
  return maker.holder.methodsOf({
    next: one,
    nextText: (...call: unknown[]) => text(one(...call)),
    nextMany: many,
    nextManyText: (n: number, ...call: unknown[]) => many(n, ...call).map(text),
    nextAsync: (options?: unknown) => nextAsync(maker, options),
    at: (time: unknown, ...call: unknown[]) => at(maker, time, bitsOf(call)),
    stats: () => stats(maker),
    snapshot: () => takeSnapshot(opened(maker)),
    ...(makeTyped && { nextTyped: (n: number) => nextMany(maker, n, 0, makeTyped) }),
  } as TypedGenerator<I, Typed, Snapshot>);
}
