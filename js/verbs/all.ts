/**
 * The verbs of all formats, each a function of a schema, and the format that they make together
 * with its own verbs.
 */
import { bytesOf, dateOf, type Given, numberIn, pickOptions, time } from "../checks.js";
import type { Id } from "../core/ids.js";
import { type Core, putText } from "../core/load.js";
import { lengths, maxOf, type Schema, TIMES, use } from "../core/schema.js";
import { failId, failTime, STATUS_TYPE } from "../core/status.js";
import { fail, show, standardOf, typeError } from "../errors.js";
import * as abi from "../generated/constants.js";
import type { Range } from "../types.js";

/** Whether the length of a text is allowed. */
const fits = ({ length }: string, { min, max }: Schema["length"]): boolean => length >= min && length <= max;

/**
 * Writes an ID, or its text in `radix`, to the register, and returns a status. `alsoUnpack`: 1 to
 * also unpack its fields.
 */
function load(schema: Schema, core: Core, x: unknown, alsoUnpack: number, radix: number): number {
  const { idType } = schema;
  if (typeof x !== "string") {
    return typeof x === idType.type ? idType.loadNative(core, x as Id) : STATUS_TYPE;
  }
  if (!fits(x, lengths(radix, schema))) {
    return abi.STATUS_LENGTH;
  }
  putText(core, x);
  return core.wasm.parse(x.length, radix, alsoUnpack);
}

/** Like `load`, but throws if the value is not an ID. Returns the core. */
export function loadId(schema: Schema, x: unknown, alsoUnpack = 0, radix = schema.radix, field = "id"): Core {
  const core = use(schema);
  const status = load(schema, core, x, alsoUnpack, radix);
  return status === 0 ? core : failId(status, x, schema, radix, field);
}

/**
 * The ID of a canonical text, without a call of the core; `undefined` if the core has to read it.
 */
const canonical = ({ idType }: Schema, x: unknown): Id | undefined =>
  typeof x === "string" ? idType.canonical(x) : undefined;

/** Parses an ID, or its text in `radix`. */
export const parse = (schema: Schema, x: unknown, radix = schema.radix, field?: string): Id =>
  (radix === schema.radix ? canonical(schema, x) : undefined) ??
  schema.idType.takeValue(loadId(schema, x, 0, radix, field));

export const isValid = (schema: Schema, x: unknown): boolean =>
  canonical(schema, x) !== undefined || load(schema, use(schema), x, 0, schema.radix) === 0;

/** Bytes of an ID: sno 10, safe numbers 7, all other formats 8, however many bits a layout uses. */
const sizeOf = ({ idType, layout }: Schema): number =>
  idType.form === abi.FORM_NUMBER ? 7 : Math.max(8, Math.ceil(layout.bits / 8));

/** The ID in the register, if the core finds it in range. */
function take(schema: Schema, core: Core, value: unknown, field: string): Id {
  return core.wasm.inspect() === 0
    ? schema.idType.takeValue(core)
    : failId(abi.STATUS_OVERFLOW, value, schema, schema.radix, field);
}

/**
 * Returns a `Buffer` if the platform has one: many clients accept only a `Buffer` as bytes, and
 * write any other array as the text of its numbers. It is read as a property, because bundlers
 * replace the bare name with their own `Buffer`.
 */
function toBytes(schema: Schema, id: unknown): Uint8Array {
  const { u8 } = loadId(schema, id);
  const bytes = u8.slice(abi.REGISTER, abi.REGISTER + sizeOf(schema)).reverse();
  return globalThis.Buffer?.from(bytes.buffer) ?? bytes;
}

function fromBytes(schema: Schema, bytes: unknown): Id {
  const size = sizeOf(schema);
  const source = bytesOf(bytes, size);
  const core = use(schema);
  core.u8.fill(0, abi.REGISTER, abi.REGISTER + 16);
  core.u8.set(source, abi.REGISTER);
  core.u8.subarray(abi.REGISTER, abi.REGISTER + size).reverse();
  return take(schema, core, bytes, "bytes");
}

export function toBigInt(schema: Schema, id: unknown): bigint {
  const { u64 } = loadId(schema, id);
  return ((u64[(abi.REGISTER >> 3) + 1] as bigint) << 64n) | (u64[abi.REGISTER >> 3] as bigint);
}

function fromBigInt(schema: Schema, integer: unknown): Id {
  if (typeof integer !== "bigint") {
    return typeError("integer", integer, "a bigint");
  }
  if (integer < 0n || integer > schema.max) {
    const status = integer < 0n ? abi.STATUS_RANGE : abi.STATUS_OVERFLOW;
    failId(status, integer, schema, schema.radix, "integer");
  }
  const core = use(schema);
  core.u64[abi.REGISTER >> 3] = integer;
  core.u64[(abi.REGISTER >> 3) + 1] = integer >> 64n;
  return take(schema, core, integer, "integer");
}

/** The fields by name, and the time in three forms. */
const inspect = (schema: Schema, id: unknown): object => schema.inspection(loadId(schema, id, 1).f64);

/** Creates `timestamp`: it returns the time in Unix milliseconds, and creates no object. */
const timestampOf = (schema: Schema): ((id: unknown) => number) =>
  schema.idType.timestampOf(schema, (id) => loadId(schema, id, 1).f64[abi.DETAIL >> 3] as number);

/** A copy of the given fields. Throws for keys that the format does not have. */
const fieldsOf = (given: unknown, what: string, { fields }: Schema): Given =>
  pickOptions<string>(given, what, [...TIMES, ...fields.slice(1).map(({ name }) => name)], "UNKNOWN_FIELD");

/** The tick of a time in Unix milliseconds, which `field` names. */
export function tickOf(schema: Schema, ms: number, field: string): number {
  const { wasm, f64 } = use(schema);
  const status = wasm.tick(ms);
  return status === 0 ? (f64[abi.DETAIL >> 3] as number) : failTime(status, ms, schema, field);
}

/** Makes an ID from all its fields. One form of the time is enough; several must agree. */
function compose(schema: Schema, given: unknown): Id {
  const values = fieldsOf(given, "fields", schema);
  let ticks: number | undefined;
  for (const form of TIMES) {
    const value = values[form];
    if (value !== undefined) {
      const one =
        form === "ticks"
          ? numberIn(value, form, maxOf(schema.fields[0]))
          : tickOf(schema, time(value, form), form);
      ticks ??= one;
      if (ticks !== one) {
        fail("CONFLICT", form, value, `${form}: ${show(value)} is tick ${one}, not ${ticks}`);
      }
    }
  }
  if (ticks === undefined) {
    return typeError("timestamp", ticks, "one of timestamp, time and ticks");
  }
  const numbers = schema.fields.map((field, i) => {
    const value = values[field.name];
    return i === 0
      ? (ticks as number)
      : value === undefined && /unused|tickTock/.test(field.role)
        ? 0
        : numberIn(value, field.name, maxOf(field));
  });
  const core = use(schema);
  core.f64.set(numbers, abi.FIELDS >> 3);
  if (core.wasm.compose() !== 0) {
    failTime(abi.STATUS_END_OF_LIFE, ticks, schema, "ticks");
  }
  return schema.idType.takeValue(core);
}

/** Returns the ID with some fields changed. A new time in any form replaces the old one. */
function changed(schema: Schema, id: unknown, changes: unknown): Id {
  const wanted = fieldsOf(changes, "changes", schema);
  const { timestamp, time, ticks, ...rest } = inspect(schema, id) as unknown as Given;
  const kept = TIMES.some((form) => form in wanted) ? rest : { ticks, ...rest };
  return compose(schema, { ...kept, ...wanted });
}

/**
 * The bounds of all IDs whose tick overlaps [from, to), within the format's life. Both ends are
 * optional.
 */
function range(schema: Schema, from: unknown, to: unknown): Range<Id> {
  /**
   * Later than any format's life: an epoch and a span are each below 1e16. Infinity would be 0 in
   * the JavaScript core.
   */
  const EVER = 1e17;
  const start = from === undefined ? -EVER : time(from, "from");
  const end = to === undefined ? EVER : time(to, "to");
  if (start >= end) {
    fail("CONFLICT", "from", from, `range: from (${dateOf(start)}) must be before to (${dateOf(end)})`);
  }
  const core = use(schema);
  const status = core.wasm.range(start, end);
  if (status !== 0) {
    const late = status === abi.STATUS_END_OF_LIFE;
    failTime(status, late ? start : end, schema, late ? "from" : "to");
  }
  const max = schema.idType.takeValue(core, abi.SECOND);
  return { min: schema.idType.takeValue(core), max };
}

/**
 * Makes the format of a schema. Reads no clock, and does not load the module. `own`: the format's
 * own properties, also for texts of the same IDs.
 */
export function formatOf<F extends { readonly text: object }>(
  schema: Schema,
  own: (schema: Schema) => object,
  columnType = schema.idType.type,
): F {
  const { name, epoch, capacity, endOfLife, layout, radix, idType, length, max } = schema;
  const valueType = idType.type;
  /**
   * Compares two texts of valid length, and parses all other values first. For digits, the longer
   * text is larger.
   */
  const byText = (a: unknown, b: unknown): number =>
    typeof a === "string" && typeof b === "string" && fits(a, length) && fits(b, length)
      ? Math.sign(a.length - b.length) || (a < b ? -1 : +(a > b))
      : byText(
          (parse(schema, a, radix, "a") as bigint).toString(radix),
          (parse(schema, b, radix, "b") as bigint).toString(radix),
        );
  const format: Record<string, unknown> = {
    name,
    layout,
    max,
    epoch,
    capacity,
    endOfLife,
    valueType,
    columnType,
    // A format of texts contains itself as `text`, which JSON cannot represent.
    toJSON: () => ({ name, epoch, layout }),
    parse: (x: unknown) => parse(schema, x),
    isValid: (x: unknown) => isValid(schema, x),
    // A text ID ignores the radix.
    format: (id: unknown) => (parse(schema, id) as bigint).toString(radix),
    toBytes: (id: unknown) => toBytes(schema, id),
    fromBytes: (bytes: unknown) => fromBytes(schema, bytes),
    toBigInt: (id: unknown) => toBigInt(schema, id),
    fromBigInt: (integer: unknown) => fromBigInt(schema, integer),
    inspect: (id: unknown) => inspect(schema, id),
    timestamp: timestampOf(schema),
    compose: (fields: unknown) => compose(schema, fields),
    with: (id: unknown, changes: unknown) => changed(schema, id, changes),
    range: (from: unknown, to: unknown) => range(schema, from, to),
    compare: idType.compareOf(max, byText),
    "~standard": standardOf((x) => parse(schema, x)),
    // Not an accessor: each format would have its own, so V8 would store formats as hash tables,
    // and take 6 ns more to find a method.
    text: schema.digits && formatOf(schema.digits, own, columnType),
    ...own(schema),
  };
  // A format of texts is its own `text`.
  format.text ??= format;
  return format as unknown as F;
}
