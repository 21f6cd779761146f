/**
 * The verbs of all formats, each a function of a schema, and the format that they make together
 * with its own verbs.
 */
import { bytesOf, dateOf, type Given, numberIn, pickOptions, time } from "../checks.js";
import type { Id } from "../core/ids.js";
import { maxOf, type Schema, TIMES, use } from "../core/schema.js";
import { failId, failTime } from "../core/status.js";
import { fail, OWN_TEXT, show, standardOf, typeError } from "../errors.js";
import * as abi from "../generated/constants.js";
import { OVERFLOW, RANGE, whole, words } from "../read/load.js";
import type { Range } from "../types.js";

/** The bytes of the words, lowest first: of the whole ID after `loadWhole`. */
const octets = /* @__PURE__ */ new Uint8Array(whole.buffer);

/** Reads an ID or its text into the words or throws. Returns its ticks. */
export function ticksOf(schema: Schema, x: unknown, field?: string): number {
  const ticks = schema.idType.load(schema, x);
  return ticks < 0 ? failId(ticks, x, schema, field) : ticks;
}

/** Parses an ID or its text. */
export const parse = (schema: Schema, x: unknown, field?: string): Id =>
  // If the value is not an ID, `ticksOf` throws.
  schema.idType.parse(schema, x) ?? (ticksOf(schema, x, field) as never);

const isValid = (schema: Schema, x: unknown): boolean => schema.idType.parse(schema, x) !== undefined;

/** Bytes of an ID: sno 10, safe numbers 7, all other formats 8, however many bits a layout uses. */
const sizeOf = ({ idType, layout }: Schema): number =>
  idType.form === abi.FORM_NUMBER ? 7 : Math.max(8, Math.ceil(layout.bits / 8));

/**
 * Returns a `Buffer` if the platform has one: many clients accept only a `Buffer` as bytes, and
 * write any other array as the text of its numbers. It is read as a property, because bundlers
 * replace the bare name with their own `Buffer`.
 */
function toBytes(schema: Schema, id: unknown): Uint8Array {
  loadWhole(schema, id);
  const bytes = octets.slice(0, sizeOf(schema)).reverse();
  return globalThis.Buffer?.from(bytes.buffer) ?? bytes;
}

/** Like `ticksOf`, and also loads the bits above 64, which are of the time. */
function loadWhole(schema: Schema, x: unknown): void {
  words[2] = ticksOf(schema, x) / 2 ** 32 / schema.up;
}

/** The integer of the whole ID. */
const integer = (): bigint => ((whole[1] as bigint) << 64n) | (whole[0] as bigint);

/** The ID of an integer. Throws for an integer outside the range; `value`: the argument. */
const idOf = (schema: Schema, integer: bigint, value: unknown, field: string): Id =>
  integer < 0n || integer > schema.max
    ? failId(integer < 0n ? RANGE : OVERFLOW, value, schema, field)
    : schema.idType.ofInteger(integer);

function fromBytes(schema: Schema, bytes: unknown): Id {
  const size = sizeOf(schema);
  const source = bytesOf(bytes, size);
  octets.fill(0).set(source);
  octets.subarray(0, size).reverse();
  return idOf(schema, integer(), bytes, "bytes");
}

export function toBigInt(schema: Schema, id: unknown): bigint {
  loadWhole(schema, id);
  return integer();
}

const fromBigInt = (schema: Schema, integer: unknown): Id =>
  typeof integer === "bigint"
    ? idOf(schema, integer, integer, "integer")
    : typeError("integer", integer, "a bigint");

/** The fields by name, and the time in three forms. */
function inspect(schema: Schema, id: unknown): object {
  const ticks = ticksOf(schema, id);
  const low = words[0] as number;
  const high = words[1] as number;
  return schema.inspection(schema.epoch + ticks * schema.tickMs, ticks, low, high);
}

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
    const { [field.name]: value = /unused|tickTock/.test(field.role) ? 0 : undefined } = values;
    return i === 0 ? (ticks as number) : numberIn(value, field.name, maxOf(field));
  });
  if (ticks > schema.last) {
    failTime(abi.STATUS_END_OF_LIFE, ticks, schema, "ticks");
  }
  const core = use(schema);
  core.f64.set(numbers, abi.FIELDS >> 3);
  core.wasm.compose();
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
export function formatOf<F>(
  schema: Schema,
  own: (schema: Schema) => object,
  columnType = schema.idType.type,
): F {
  const { name, epoch, tickMs, capacity, endOfLife, layout, radix, idType, shortest, longest, max } = schema;
  const fits = ({ length }: string) => length >= shortest && length <= longest;
  /**
   * Compares two texts of valid length and parses all other values first. For digits, the longer
   * text is larger.
   */
  const byText = (a: unknown, b: unknown): number =>
    typeof a === "string" && typeof b === "string" && fits(a) && fits(b)
      ? Math.sign(a.length - b.length) || (a < b ? -1 : +(a > b))
      : byText(
          (parse(schema, a, "a") as bigint).toString(radix),
          (parse(schema, b, "b") as bigint).toString(radix),
        );
  const { digits } = schema;
  return {
    __proto__: digits ? Object.prototype : OWN_TEXT,
    name,
    layout,
    max,
    epoch,
    capacity,
    endOfLife,
    valueType: idType.type,
    columnType,
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
    // It creates no object.
    timestamp: (id: unknown) => epoch + ticksOf(schema, id) * tickMs,
    compose: (fields: unknown) => compose(schema, fields),
    with: (id: unknown, changes: unknown) => changed(schema, id, changes),
    range: (from: unknown, to: unknown) => range(schema, from, to),
    compare: idType.compareOf(max, byText),
    "~standard": standardOf((x) => parse(schema, x)),
    ...own(schema),
    // Not an accessor: each format would have its own, so V8 would store formats as hash tables,
    // and take 6 ns more to find a method.
    ...(digits && { text: formatOf(digits, own, columnType) }),
  } as F;
}
