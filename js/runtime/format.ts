/** The verbs that every format has, over a schema and a codec. */
import { type GraupelError, refuse } from "../errors.js";
import { CODES, FIELDS, REGISTER, SECOND } from "../generated/layouts.js";
import type { Composition, Format, Inspection } from "../types.js";
import { bytesOf, record, show, time, whole, wrongType } from "./check.js";
import { type Codec, type Natural, putParsed } from "./codec.js";
import { type Core, load } from "./core.js";
import { FIRST, idError, NUMBER, timeError } from "./refusals.js";
import { type Facts, factsOf, most, type Schema, use } from "./schema.js";

/** The three forms of an ID's time. */
const TIMES = ["timestamp", "time", "ticks"] as const;

/** What this file makes of a format; the rest comes from its own. */
export type Verbs<Id extends Natural, Field extends string> = Omit<
  Format<Id, Field, never, never>,
  "generator"
>;

/** What a format's own file and its generators need beside the verbs. */
export interface Inner<Id extends Natural> {
  readonly schema: Schema;
  readonly facts: Facts;
  readonly codec: Codec<Id>;
  /** The core, with the schema in use. */
  ready(): Core;
  /** A natural value, or a text in `radix`, to the register; throws what is wrong with it. */
  read(x: unknown, radix?: number): Core;
  /** A natural value to the register; throws what is wrong with it. */
  own(id: unknown): Core;
}

/** Verbs for a schema. Reads no clock, instantiates nothing. Errors: `RANGE` for an epoch too late. */
export function verbs<Id extends Natural, Field extends string>(
  schema: Schema,
  codec: Codec<Id>,
): { readonly verbs: Verbs<Id, Field>; readonly inner: Inner<Id> } {
  const { name, fields, epoch, radix } = schema;
  const facts = factsOf(schema);
  const names = fields.slice(1).map((field) => field.name) as Field[];
  // sno 10, 64-bit formats 8 (whatever part of it a layout uses), Snowflake-SI 7.
  const size = codec.type === "number" ? 7 : Math.max(8, Math.ceil(facts.layout.bits / 8));

  const ready = () => {
    const core = load();
    use(core, schema);
    return core;
  };

  const status = (core: Core, x: unknown, form: number): number =>
    typeof x === codec.type && codec.type !== "string"
      ? codec.put(core, x as Id, facts, schema)
      : typeof x === "string"
        ? putParsed(core, x, form, facts)
        : NUMBER.TYPE;

  const error = (number: number, x: unknown, form: number, core: Core, field = "id"): GraupelError =>
    idError(number, x, schema, facts, codec.type, form, core, field);

  const read = (x: unknown, form = radix, field = "id"): Core => {
    const core = ready();
    const number = status(core, x, form);
    if (number !== 0) {
      throw error(number, x, form, core, field);
    }
    return core;
  };

  const own = (id: unknown): Core => {
    if (typeof id !== codec.type) {
      throw error(NUMBER.TYPE, id, radix, load());
    }
    return read(id);
  };

  const parse = (x: unknown): Id => codec.take(read(x), schema);

  const inspect = (id: Id): Inspection<Field> => {
    const core = own(id);
    core.wasm.inspect();
    const { f64 } = core;
    const timestamp = f64[FIRST] as number;
    const out: Record<string, unknown> = {
      timestamp,
      time: new Date(timestamp),
      ticks: f64[FIELDS >> 3],
    };
    for (let i = 0; i < names.length; i++) {
      out[names[i] as string] = f64[(FIELDS >> 3) + 1 + i];
    }
    return out as unknown as Inspection<Field>;
  };

  /** The tick of a time, or the error of the argument that gave it. */
  const tick = (core: Core, ms: number, field: string): number => {
    const number = core.wasm.tick(ms);
    if (number !== 0) {
      throw timeError(number, ms, schema, facts, field);
    }
    return core.f64[FIRST] as number;
  };

  const compose = (given: Composition<Field>): Id => {
    const values = record(given, "fields", [...TIMES, ...names], "UNKNOWN_FIELD") as Record<string, unknown>;
    const core = ready();
    let ticks: number | undefined;
    for (const key of TIMES) {
      const value = values[key];
      if (value === undefined) {
        continue;
      }
      const one = key === "ticks" ? whole(value, key, most(fields[0])) : tick(core, time(value, key), key);
      if (ticks !== undefined && ticks !== one) {
        refuse("CONFLICT", `${key}: ${show(value)} is tick ${one}, but the other times say tick ${ticks}`, {
          field: key,
          value,
        });
      }
      ticks = one;
    }
    if (ticks === undefined) {
      wrongType("timestamp", undefined, "one of timestamp, time and ticks");
    }
    const numbers = [ticks];
    fields.forEach((field, i) => {
      if (i > 0) {
        const value = values[field.name];
        const absent = value === undefined && schema.optional.includes(i);
        numbers.push(absent ? 0 : whole(value, field.name, most(field)));
      }
    });
    core.f64.set(numbers, FIELDS >> 3);
    if (core.wasm.compose() !== 0) {
      throw timeError(CODES.indexOf("END_OF_LIFE"), ticks, schema, facts, "ticks");
    }
    return codec.take(core, schema);
  };

  const compare = (a: Id, b: Id): -1 | 0 | 1 => {
    const x = codec.take(read(a, radix, "a"), schema);
    const y = codec.take(read(b, radix, "b"), schema);
    return x < y ? -1 : x > y ? 1 : 0;
  };

  const made: Verbs<Id, Field> = {
    name,
    layout: facts.layout,
    epoch,
    capacity: facts.capacity,
    endOfLife: facts.endOfLife,
    parse,
    isValid: (x) => status(ready(), x, radix) === 0,
    format(id) {
      const core = own(id);
      const text = codec.take(core, schema);
      return typeof text === "string" ? text : text.toString(radix);
    },
    toBytes(id) {
      const { u8 } = own(id);
      return Uint8Array.from({ length: size }, (_, i) => u8[REGISTER + size - 1 - i] as number);
    },
    fromBytes(bytes) {
      const source = bytesOf(bytes, size);
      const core = ready();
      core.u8.fill(0, REGISTER, REGISTER + 16);
      for (let i = 0; i < size; i++) {
        core.u8[REGISTER + size - 1 - i] = source[i] as number;
      }
      return checked(core, bytes, "bytes");
    },
    toBigInt(id) {
      const { u64 } = own(id);
      return ((u64[(REGISTER >> 3) + 1] as bigint) << 64n) | (u64[REGISTER >> 3] as bigint);
    },
    fromBigInt(integer) {
      if (typeof integer !== "bigint") {
        wrongType("integer", integer, "a bigint");
      }
      if (integer < 0n || integer > facts.max) {
        throw error(integer < 0n ? NUMBER.RANGE : NUMBER.OVERFLOW, integer, radix, load(), "integer");
      }
      const core = ready();
      core.u64[REGISTER >> 3] = integer;
      core.u64[(REGISTER >> 3) + 1] = integer >> 64n;
      return checked(core, integer, "integer");
    },
    inspect,
    compose,
    with(id, changes) {
      const parts = { ...inspect(id) } as Record<string, unknown>;
      const wanted = record(changes, "changes", [...TIMES, ...names], "UNKNOWN_FIELD") as Record<
        string,
        unknown
      >;
      if (TIMES.some((key) => key in wanted)) {
        for (const key of TIMES) {
          delete parts[key];
        }
      }
      return compose({ ...parts, ...wanted } as Composition<Field>);
    },
    range(from, to) {
      const start = time(from, "from");
      const end = time(to, "to");
      if (start >= end) {
        refuse("CONFLICT", `range: from (${start}) must be before to (${end})`, {
          field: "from",
          value: from,
        });
      }
      const core = ready();
      const number = core.wasm.range(start, end);
      if (number !== 0) {
        const early = CODES[number] === "BEFORE_EPOCH";
        throw timeError(number, early ? start : end, schema, facts, early ? "from" : "to");
      }
      const max = codec.take(core, schema, SECOND);
      return { min: codec.take(core, schema), max };
    },
    compare,
    "~standard": {
      version: 1,
      vendor: "graupel",
      validate(value) {
        const core = ready();
        const number = status(core, value, radix);
        return number === 0
          ? { value: codec.take(core, schema) }
          : { issues: [{ message: error(number, value, radix, core).message }] };
      },
    },
  };
  return { verbs: made, inner: { schema, facts, codec, ready, read, own } };

  /** The register as an ID, once the module has found it in range. */
  function checked(core: Core, value: unknown, field: string): Id {
    if (core.wasm.inspect() !== 0) {
      throw error(NUMBER.OVERFLOW, value, radix, core, field);
    }
    return codec.take(core, schema);
  }
}
