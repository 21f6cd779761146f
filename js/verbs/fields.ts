/** An ID and its fields: `inspect`, `timestamp`, `compose`, `with`, `range`. */
import { numberIn, pickOptions, time } from "../checks.js";
import type { Id } from "../core/id-types.js";
import { maxOf, type Schema, TIMES, use } from "../core/schema.js";
import { failTime } from "../core/status.js";
import { fail, show, typeError } from "../errors.js";
import * as abi from "../generated/constants.js";
import type { Range } from "../types.js";
import { loadId } from "./parse.js";

/** The fields by name, and the time in three forms. */
export const inspect = (schema: Schema, id: unknown): object => schema.inspection(loadId(schema, id, 1).f64);

/** Creates `timestamp`: it returns the time in Unix milliseconds, and creates no object. */
export const timestampOf = (schema: Schema): ((id: unknown) => number) =>
  schema.idType.timestampOf(schema, (id) => loadId(schema, id, 1).f64[abi.DETAIL >> 3] as number);

type Values = Partial<Record<string, unknown>>;

/** A copy of the given fields. Refuses keys that the format does not have. */
const fieldsOf = (given: unknown, what: string, { fields }: Schema): Values =>
  pickOptions<string>(given, what, [...TIMES, ...fields.slice(1).map(({ name }) => name)], "UNKNOWN_FIELD");

/** The tick of a time in Unix milliseconds, which `field` names. */
export function tickOf(schema: Schema, ms: number, field: string): number {
  const { wasm, f64 } = use(schema);
  const status = wasm.tick(ms);
  return status === 0 ? (f64[abi.DETAIL >> 3] as number) : failTime(status, ms, schema, field);
}

/** An ID from all its fields. One form of the time is enough; several must agree. */
export function compose(schema: Schema, given: unknown): Id {
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

/** An ID with some of its fields changed. A new time in any form replaces the old one. */
export function changed(schema: Schema, id: unknown, changes: unknown): Id {
  const wanted = fieldsOf(changes, "changes", schema);
  const { timestamp, time, ticks, ...rest } = inspect(schema, id) as unknown as Values;
  const kept = TIMES.some((form) => form in wanted) ? rest : { ticks, ...rest };
  return compose(schema, { ...kept, ...wanted });
}

/** The bounds of all IDs whose tick overlaps [from, to), within the format's life. Either end may be left out. */
export function range(schema: Schema, from: unknown, to: unknown): Range<Id> {
  /** Beyond every life: an epoch and a span are each below 1e16. Not infinity, which is 0 to the core as JavaScript. */
  const EVER = 1e17;
  const start = from === undefined ? -EVER : time(from, "from");
  const end = to === undefined ? EVER : time(to, "to");
  if (start >= end) {
    fail("CONFLICT", "from", from, `range: from (${start}) must be before to (${end})`);
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
