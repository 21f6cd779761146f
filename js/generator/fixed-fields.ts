/** Generators whose fixed fields are options by name: those of every format except sno. */

import { type Given, numberIn } from "../checks.js";
import type { Id } from "../core/ids.js";
import { maxOf, type Schema } from "../core/schema.js";
import { typeError } from "../errors.js";
import { NEW } from "../generated/layouts.js";
import { leasable, opened } from "../identity/holder.js";
import { LEASE } from "../identity/shared.js";
import type { TypedGenerator } from "../types.js";
import { at, next, nextAsync, nextMany, plain } from "./next.js";
import { type Kind, PLAIN, settingsOf, share } from "./settings.js";
import { numbersOf, SAVED, stats, takeSnapshot } from "./snapshot.js";

/**
 * Makes the function `generator` of a format. `own`: how the format differs from a plain counter;
 * `defaults`: the values of fixed fields that may be left out.
 */
export function fixedFieldGenerators<I extends Id, Typed>(
  schema: Schema<I, Typed>,
  own = PLAIN,
  defaults?: Given,
) {
  const { fields, sequence } = schema;
  const { makeTyped } = schema.idType;
  const identity = fields.filter(({ role }) => role === "fixed").map(({ name }) => name);
  const kind: Kind<I, Typed> = {
    ...own,
    schema,
    identity,
    saved: SAVED,
    numbersIn: (snapshot, bounds) => numbersOf(snapshot, schema, bounds),
    bounds: () => ({ first: 0, last: maxOf(fields[sequence]), initial: NEW }),
    fields: (options) =>
      fields.map((field) => {
        const { name, role } = field;
        if (role !== "fixed") return 0;
        const { [name]: value = defaults?.[name] } = options;
        return value === undefined
          ? typeError(name, value, `a number from 0 to ${maxOf(field)}, unique among running generators`)
          : numberIn(value, name, maxOf(field));
      }),
  };
  const kept = new Map<unknown, TypedGenerator<I, Typed>>();
  const generator = (given: unknown = {}) => {
    const settings = settingsOf(kind, given);
    const { holder } = settings;
    // A text ID ignores the radix.
    const text = (id: I) => (id as bigint).toString(schema.radix);
    const many = (n: number) => nextMany(settings, n, 0, plain<I>);
    const make = () => ({
      next: () => next(settings, 0),
      nextText: () => text(next(settings, 0)),
      nextMany: many,
      nextManyText: (n: number) => many(n).map(text),
      nextAsync: (options?: unknown) => nextAsync(settings, options),
      at: (time: unknown) => at(settings, time, 0),
      stats: () => stats(opened(settings), schema),
      snapshot: () => takeSnapshot(opened(settings).save(), schema, holder.fields as readonly number[]),
      // There is no typed array for texts.
      ...(makeTyped && { nextTyped: (n: number) => nextMany(settings, n, 0, makeTyped) }),
    });
    return share(settings, kept, make as () => TypedGenerator<I, Typed>);
  };
  return { generator, [LEASE]: leasable(schema) };
}
