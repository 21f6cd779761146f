/** Generators whose fixed fields are options by name, and their snapshots: all formats but sno. */

import { isArray, or, record, whole, wrongType } from "../checks.js";
import type { Id, Natural } from "../core/id-types.js";
import { most, type Schema } from "../core/schema.js";
import { HIGHEST, LAST, LEFT, VALUE } from "../generated/layouts.js";
import type { Generator, IntegerSnapshot, LayoutField } from "../types.js";
import { engine } from "./generator.js";
import type { Identity } from "./identity.js";
import { policyOf, SHARED } from "./options.js";
import {
  atOf,
  badSnapshot,
  contradicts,
  headOf,
  NEW,
  number,
  partOf,
  save,
  takeAt,
  VERSION,
} from "./snapshot.js";

type Given = Partial<Record<string, unknown>>;

/** What a format adds to the plain counter. All of it is stated, so that nothing is read from a prototype. */
export interface Special {
  /** Names of further options. */
  readonly options: readonly string[];
  /** Fixed fields that may be left out, and are then 0. */
  readonly optional: readonly string[];
  /** Bytes drawn at the start of a tick, where values are random; else 0. */
  readonly startBytes: number;
  /** The slot's rule from the options. */
  readonly rule: ((options: Given) => number) | undefined;
  readonly random: ((options: Given) => ((bytes: Uint8Array) => void) | undefined) | undefined;
}

const PLAIN: Special = { options: [], optional: [], startBytes: 0, rule: undefined, random: undefined };

/** The fields that options fix. */
const fixedFields = ({ fields, sequence, optional }: Schema): readonly LayoutField[] =>
  fields.filter((_, i) => i > 0 && i !== sequence && !optional.includes(i));

/** A generator maker for a schema. */
export function integerGenerators<I extends Id, Many>(
  schema: Schema,
  natural: Natural<I, Many>,
  text: (id: I) => string,
  special: Special = PLAIN,
): (options?: unknown) => Generator<I, Many, IntegerSnapshot> {
  const { fields, sequence } = schema;
  const free = fixedFields(schema);
  const known = [...free.map((field) => field.name), ...special.options, ...SHARED];
  const { startBytes } = special;

  return (given = {}) => {
    const options = record(given, "options", known);
    const stored =
      options.snapshot === undefined
        ? undefined
        : read(options.snapshot, schema, startBytes > 0, special.rule === undefined);
    const policy = policyOf(options, schema, natural.form);
    const rule = special.rule?.(options) ?? 0;
    const random = special.random?.(options);
    const own = new Map<string, number>();
    for (const field of free) {
      const { name } = field;
      const before = stored?.fields[name];
      const value = or(options[name], before ?? (special.optional.includes(name) ? 0 : undefined));
      if (value === undefined) {
        const range = `a number from 0 to ${most(field)}`;
        wrongType(name, value, `${range}, different in everything that generates at the same time`);
      }
      own.set(name, whole(value, name, most(field)));
      if (before !== undefined && before !== value) {
        contradicts(name, value, before);
      }
    }
    const identity: Identity = {
      schema,
      fixed: fields.map(({ name }) => own.get(name) ?? 0),
      first: 0,
      last: most(fields[sequence]),
      startBytes,
      initial: NEW,
    };
    const [made, cell] = engine<I, Many>({
      schema,
      natural,
      policy,
      rule,
      random,
      metabyte: false,
      identity: () => identity,
      known: () => true,
      snapshot: stored?.state,
    });
    return {
      ...made,
      nextText: () => text(made.next()),
      nextManyText: (n) => Array.from(made.nextMany(n) as unknown as ArrayLike<I>, text),
      snapshot() {
        const state = save(cell());
        return {
          version: VERSION,
          format: schema.name,
          epoch: schema.epoch,
          layout: fields.map((field) => ({ ...field })),
          tickMs: schema.tickMs,
          fields: Object.fromEntries(own),
          highest: state[HIGHEST] as number,
          last: state[LAST] as number,
          sequence: state[VALUE] as number,
          left: state[LEFT] as number,
          at: takeAt(state),
        };
      },
    };
  };
}

/** Whether a snapshot's layout is this one, by its values: a database may have put the keys into another order. */
const isLayout = (value: unknown, layout: readonly LayoutField[]): boolean =>
  isArray(value) &&
  value.length === layout.length &&
  layout.every((field, i) => {
    const { name, bits } = partOf(value[i], "layout", ["name", "bits"]);
    return name === field.name && bits === field.bits;
  });

/**
 * What a snapshot says, checked: the fixed fields, and the state. `plain`: a counter that starts every tick anew, where one
 * number follows from the other.
 */
function read(given: unknown, schema: Schema, random: boolean, plain: boolean) {
  const own = ["epoch", "layout", "tickMs", "fields", "highest", "last", "sequence", "left"];
  const head = headOf(given, schema, own);
  for (const field of ["epoch", "tickMs"] as const) {
    if (head[field] !== schema[field]) {
      badSnapshot(field, head[field]);
    }
  }
  if (!isLayout(head.layout, schema.fields)) {
    badSnapshot("layout", head.layout);
  }
  const free = fixedFields(schema);
  const part = partOf(
    head.fields,
    "fields",
    free.map(({ name }) => name),
  );
  const fields = Object.fromEntries(
    free.map((field) => [field.name, number(part, field.name, 0, most(field))]),
  );
  const ticks = most(schema.fields[0]);
  const sequence = most(schema.fields[schema.sequence]);
  const highest = number(head, "highest", -1, ticks);
  // Every reading that counts has issued an ID at it or ahead of it.
  const last = number(head, "last", highest, ticks);
  const value = number(head, "sequence", 0, sequence);
  const left = number(head, "left", 0, random ? 1 : sequence);
  if (plain && left !== (last < 0 ? 0 : sequence - value)) {
    badSnapshot("left", left);
  }
  return { fields, state: [highest, last, value, left, -1, 0, ...atOf(head.at, schema, last, last >= 0)] };
}
