/** Generators whose fixed fields are options by name: those of every format except sno. */
import { numberIn, orDefault, pickOptions, wrongType } from "../checks.js";
import type { Id } from "../core/id-types.js";
import { maxOf, type Schema } from "../core/schema.js";
import { NEW } from "../generated/layouts.js";
import type { IntegerSnapshot, LayoutField, TypedGenerator } from "../types.js";
import { nextAsync } from "./async.js";
import { at } from "./backfill.js";
import { nextMany, plain } from "./batch.js";
import { makerOf, opened, type Settings } from "./generator.js";
import type { InjectedRandom } from "./injected-random.js";
import { readSnapshot, takeSnapshot } from "./integer-snapshot.js";
import { next } from "./next.js";
import { policyOf, SHARED } from "./options.js";
import { agree } from "./snapshot.js";
import { save } from "./state.js";
import { stats } from "./stats.js";

type Given = Partial<Record<string, unknown>>;

/** What a format adds to the plain counter. Nothing is optional here, so that nothing is read from a polluted prototype. */
export interface Special {
  /** Names of further options. */
  readonly options: readonly string[];
  /** Fixed fields that default to 0. */
  readonly optional: readonly string[];
  /** The slot's sequence rule, from the options. */
  readonly rule: ((options: Given) => number) | undefined;
  readonly random: ((options: Given) => InjectedRandom | undefined) | undefined;
}

const PLAIN: Special = { options: [], optional: [], rule: undefined, random: undefined };

/** The options of a generator, checked. */
interface Parsed extends Pick<Settings<Id>, "policy" | "sequenceRule" | "random" | "snapshot"> {
  /** The fixed fields by name. */
  readonly fixedFields: ReadonlyMap<string, number>;
}

/** Checks options and snapshot. `free`: the fields that the options set. */
function parse(given: unknown, schema: Schema, free: readonly LayoutField[], special: Special): Parsed {
  const known = [...free.map(({ name }) => name), ...special.options, ...SHARED];
  const options: Given = pickOptions(given, "options", known);
  const stored =
    options.snapshot === undefined
      ? undefined
      : readSnapshot(options.snapshot, schema, free, schema.startBytes > 0, special.rule === undefined);
  const policy = policyOf(options, schema);
  const sequenceRule = special.rule?.(options) ?? 0;
  const random = special.random?.(options);
  const fixedFields = new Map<string, number>();
  for (const field of free) {
    const { name } = field;
    const before = stored?.fields[name];
    const value = orDefault(options[name], before ?? (special.optional.includes(name) ? 0 : undefined));
    if (value === undefined) {
      const range = `a number from 0 to ${maxOf(field)}`;
      wrongType(name, value, `${range}, different in everything that generates at the same time`);
    }
    fixedFields.set(name, numberIn(value, name, maxOf(field)));
    agree(name, value, value, before);
  }
  return { policy, sequenceRule, random, fixedFields, snapshot: stored?.state };
}

/** The function `generator` of a schema. Generators of texts have no `nextTyped`. */
export function integerGenerators<I extends Id, Typed>(
  schema: Schema<I, Typed>,
  text: (id: I) => string,
  special: Special = PLAIN,
): (options?: unknown) => TypedGenerator<I, Typed, IntegerSnapshot> {
  const { fields, sequence, optional, idType } = schema;
  const { makeTyped } = idType;
  const free = fields.filter((_, i) => i > 0 && i !== sequence && !optional.includes(i));
  return (given = {}) => {
    const parsed = parse(given, schema, free, special);
    const { fixedFields } = parsed;
    const identity = {
      schema,
      fixedFields: fields.map(({ name }) => fixedFields.get(name) ?? 0),
      first: 0,
      last: maxOf(fields[sequence]),
      initial: NEW,
    };
    const maker = makerOf<I, Typed>({
      schema,
      drawn: () => false,
      identity: () => identity,
      ...parsed,
    });
    const many = (n: number): I[] => nextMany(maker, n, 0, plain<I>);
    return {
      next: () => next(maker, 0),
      nextText: () => text(next(maker, 0)),
      nextMany: many,
      nextManyText: (n: number) => many(n).map(text),
      nextAsync: (options?: unknown) => nextAsync(maker, options),
      at: (time: unknown) => at(maker, time, 0),
      stats: () => stats(maker),
      snapshot: () => takeSnapshot(save(opened(maker)), schema, fixedFields),
      ...(makeTyped && { nextTyped: (n: number) => nextMany(maker, n, 0, makeTyped) }),
    } as TypedGenerator<I, Typed, IntegerSnapshot>;
  };
}
