/** Generators whose fixed fields are options by name: those of every format except sno. */

import { numberIn, orDefault } from "../checks.js";
import type { Id } from "../core/id-types.js";
import { maxOf, type Schema } from "../core/schema.js";
import { typeError } from "../errors.js";
import { NEW } from "../generated/layouts.js";
import { opened } from "../identity/holder.js";
import type { LEASE, Leasable } from "../identity/shared.js";
import type { TypedGenerator } from "../types.js";
import { nextAsync } from "./async.js";
import { nextMany, plain } from "./batch.js";
import { type Kind, leasable, makerOf } from "./maker.js";
import { at, next } from "./next.js";
import { agree, type Read, readSnapshot, takeSnapshot } from "./snapshot.js";
import { stats } from "./stats.js";

/** What a format adds to the plain counter: nothing. `optional`: fixed fields that default to 0. */
export const PLAIN: Pick<Kind, "options" | "sequenceRule" | "random"> & {
  readonly optional: readonly string[];
} = { options: [], optional: [], sequenceRule: () => 0, random: () => undefined };

/** What a format has besides verbs. */
interface Generators<I extends Id, Typed> {
  readonly generator: (options?: unknown) => TypedGenerator<I, Typed>;
  readonly [LEASE]: Leasable;
}

/** The generators of a schema. */
export function fixedFieldGenerators<I extends Id, Typed>(
  schema: Schema<I, Typed>,
  own = PLAIN,
): Generators<I, Typed> {
  const { fields, sequence } = schema;
  const free = fields.filter(({ role }) => role === "fixed");
  const { makeTyped } = schema.idType;
  const restarts = own.sequenceRule === PLAIN.sequenceRule;
  const kind: Kind<I, Typed, Read> = {
    ...own,
    automatic: undefined,
    schema,
    options: [...free.map(({ name }) => name), ...own.options],
    read: (snapshot) => readSnapshot(snapshot, schema, free, schema.startBytes > 0, restarts),
    values: () => ({ first: 0, last: maxOf(fields[sequence]), initial: NEW }),
    fields: (options, stored) =>
      fields.map((field) => {
        const { name, role } = field;
        if (role !== "fixed") {
          return 0;
        }
        // From the option or the snapshot.
        const before = stored?.fields[name];
        const value = orDefault(options[name], before ?? (own.optional.includes(name) ? 0 : undefined));
        if (value === undefined) {
          typeError(name, value, `a number from 0 to ${maxOf(field)}, unique among running generators`);
        }
        agree(name, value, numberIn(value, name, maxOf(field)), before);
        return value as number;
      }),
  };
  const generator = (given: unknown = {}) => {
    const maker = makerOf(kind, given);
    const { holder } = maker;
    // A text is its own text, whatever the radix.
    const text = (id: I) => (id as bigint).toString(schema.radix);
    const many = (n: number) => nextMany(maker, n, 0, plain<I>);
    return holder.methodsOf({
      next: () => next(maker, 0),
      nextText: () => text(next(maker, 0)),
      nextMany: many,
      nextManyText: (n: number) => many(n).map(text),
      nextAsync: (options?: unknown) => nextAsync(maker, options),
      at: (time: unknown) => at(maker, time, 0),
      stats: () => stats(maker),
      snapshot: () =>
        takeSnapshot(opened(maker).save(), schema, holder.fields as readonly number[], restarts),
      // Texts have no typed array.
      ...(makeTyped && { nextTyped: (n: number) => nextMany(maker, n, 0, makeTyped) }),
    } as TypedGenerator<I, Typed>);
  };
  return { generator, ...leasable(schema) };
}
