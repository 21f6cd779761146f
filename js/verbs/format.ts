/** The verbs that every format has, over a schema and a natural type. */

import { bytesOf, record, show, time, whole, wrongType } from "../checks.js";
import { type Id, type Natural, putParsed } from "../core/id-types.js";
import type { Core } from "../core/load.js";
import { FIRST, refuseId, refuseTime, STATUS_TYPE } from "../core/refusals.js";
import { most, type Schema, use } from "../core/schema.js";
import { refuse } from "../errors.js";
import {
  FIELDS,
  REGISTER,
  SECOND,
  STATUS_END_OF_LIFE,
  STATUS_OVERFLOW,
  STATUS_RANGE,
} from "../generated/layouts.js";
import type { Composition, Format, Inspection } from "../types.js";

/** The first field's place, as an index of `f64`. */
const FIELD = FIELDS >> 3;

/** The three forms of an ID's time. */
const TIMES = ["timestamp", "time", "ticks"] as const;

/** What this file makes of a format; the rest comes from its own. */
export type Verbs<I extends Id, Field extends string> = Omit<Format<I, Field, never, never>, "generator">;

/** What a format's own file and its generators need beside the verbs. */
export interface Inner<I extends Id> {
  /** A natural value, or a text in `radix`, to a natural value; throws what is wrong with it. */
  parse(x: unknown, radix?: number): I;
  /** An ID in any form to the register; throws what is wrong with it. */
  read(id: unknown): Core;
}

/** Verbs for a schema. Reads no clock, instantiates nothing. */
export function verbs<I extends Id, Field extends string>(
  schema: Schema,
  natural: Natural<I>,
): { readonly verbs: Verbs<I, Field>; readonly inner: Inner<I> } {
  const { name, fields, epoch, capacity, endOfLife, layout, max, radix: usual, inspection } = schema;
  const { type } = natural;
  const names = fields.slice(1).map((field) => field.name) as Field[];
  // sno 10, 64-bit formats 8 (whatever part of it a layout uses), Snowflake-SI 7.
  const size = type === "number" ? 7 : Math.max(8, Math.ceil(layout.bits / 8));

  /** An ID in any form to the register: 0, or the number of why not. */
  const enter = (core: Core, x: unknown, radix: number, apart = 0): number =>
    typeof x === "string"
      ? putParsed(core, x, radix, schema, apart)
      : typeof x === type
        ? natural.put(core, x as I)
        : STATUS_TYPE;

  /** The same, and throws. */
  const read = (x: unknown, radix = usual, field = "id", apart = 0): Core => {
    const core = use(schema);
    const status = enter(core, x, radix, apart);
    return status === 0 ? core : refuseId(status, x, schema, type, radix, field);
  };

  const look = (x: unknown): I | undefined => (typeof x === "string" ? natural.look(x) : undefined);

  const parse = (x: unknown, radix = usual, field?: string): I =>
    (radix === usual ? look(x) : undefined) ?? natural.take(read(x, radix, field));

  /** The register as an ID, once the module has found it in range. */
  const checked = (core: Core, value: unknown, field: string): I =>
    core.wasm.$inspect() === 0
      ? natural.take(core)
      : refuseId(STATUS_OVERFLOW, value, schema, type, usual, field);

  const inspect = (id: I): Inspection<Field> => inspection(read(id, usual, "id", 1).f64) as Inspection<Field>;

  const compose = (given: Composition<Field>): I => {
    const values = record(given, "fields", [...TIMES, ...names], "UNKNOWN_FIELD") as Record<string, unknown>;
    const core = use(schema);
    let ticks: number | undefined;
    for (const key of TIMES) {
      const value = values[key];
      if (value === undefined) {
        continue;
      }
      let one: number;
      if (key === "ticks") {
        one = whole(value, key, most(fields[0]));
      } else {
        const ms = time(value, key);
        const status = core.wasm.$tick(ms);
        one = status === 0 ? (core.f64[FIRST] as number) : refuseTime(status, ms, schema, key);
      }
      ticks ??= one;
      if (ticks !== one) {
        refuse("CONFLICT", `${key}: ${show(value)} is tick ${one}, not ${ticks}`, key, value);
      }
    }
    if (ticks === undefined) {
      return wrongType("timestamp", ticks, "one of timestamp, time and ticks");
    }
    const numbers = fields.map((field, i) => {
      const value = values[field.name];
      return i === 0
        ? (ticks as number)
        : value === undefined && schema.optional.includes(i)
          ? 0
          : whole(value, field.name, most(field));
    });
    core.f64.set(numbers, FIELD);
    if (core.wasm.$compose() !== 0) {
      refuseTime(STATUS_END_OF_LIFE, ticks, schema, "ticks");
    }
    return natural.take(core);
  };

  const made: Verbs<I, Field> = {
    name,
    layout,
    epoch,
    capacity,
    endOfLife,
    parse: (x) => parse(x),
    isValid: (x): x is I | string => look(x) !== undefined || enter(use(schema), x, usual) === 0,
    format: (id) => {
      const value = parse(id);
      return typeof value === "string" ? value : value.toString(usual);
    },
    toBytes(id) {
      const { u8 } = read(id);
      return u8.slice(REGISTER, REGISTER + size).reverse();
    },
    fromBytes(bytes) {
      const source = bytesOf(bytes, size);
      const core = use(schema);
      core.u8.fill(0, REGISTER, REGISTER + 16);
      core.u8.set(source, REGISTER);
      core.u8.subarray(REGISTER, REGISTER + size).reverse();
      return checked(core, bytes, "bytes");
    },
    toBigInt(id) {
      const { u64 } = read(id);
      return ((u64[(REGISTER >> 3) + 1] as bigint) << 64n) | (u64[REGISTER >> 3] as bigint);
    },
    fromBigInt(integer) {
      if (typeof integer !== "bigint") {
        return wrongType("integer", integer, "a bigint");
      }
      if (integer < 0n || integer > max) {
        refuseId(integer < 0n ? STATUS_RANGE : STATUS_OVERFLOW, integer, schema, type, usual, "integer");
      }
      const core = use(schema);
      core.u64[REGISTER >> 3] = integer;
      core.u64[(REGISTER >> 3) + 1] = integer >> 64n;
      return checked(core, integer, "integer");
    },
    inspect,
    compose,
    with(id, changes) {
      const wanted = record(changes, "changes", [...TIMES, ...names], "UNKNOWN_FIELD");
      const { timestamp, time, ticks, ...rest } = inspect(id as I);
      const times = TIMES.some((key) => key in wanted) ? {} : { ticks };
      return compose({ ...rest, ...times, ...wanted } as unknown as Composition<Field>);
    },
    range(from, to) {
      const start = from === undefined ? -Infinity : time(from, "from");
      const end = to === undefined ? Infinity : time(to, "to");
      if (start >= end) {
        refuse("CONFLICT", `range: from (${start}) must be before to (${end})`, "from", from);
      }
      const core = use(schema);
      const status = core.wasm.$range(start, end);
      if (status !== 0) {
        const late = status === STATUS_END_OF_LIFE;
        refuseTime(status, late ? start : end, schema, late ? "from" : "to");
      }
      const max = natural.take(core, SECOND);
      return { min: natural.take(core), max };
    },
    compare(a, b) {
      const x = parse(a, usual, "a");
      const y = parse(b, usual, "b");
      return x < y ? -1 : x > y ? 1 : 0;
    },
    "~standard": {
      version: 1,
      vendor: "graupel",
      validate(value) {
        // What has nothing to do with the value is no issue of it.
        use(schema);
        try {
          return { value: parse(value) };
        } catch (error) {
          return { issues: [{ message: (error as Error).message }] };
        }
      },
    },
  };
  return { verbs: made, inner: { parse, read } };
}
