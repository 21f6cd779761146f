/** `compose` and `with`: fields to an ID. */
import { numberIn, pickOptions, time, wrongType } from "../checks.js";
import type { Id } from "../core/id-types.js";
import type { Core } from "../core/load.js";
import { DETAIL_INDEX, refuseTime } from "../core/refusals.js";
import { maxOf, type Schema, TIMES, use } from "../core/schema.js";
import { refuse, show } from "../errors.js";
import { FIELDS, STATUS_END_OF_LIFE } from "../generated/constants.js";
import { inspect } from "./inspect.js";
import type { Codec } from "./parse.js";

type Values = Partial<Record<string, unknown>>;

/** A copy of the given fields. Refuses keys that the format does not have. */
const fieldsOf = (given: unknown, what: string, { fields }: Schema): Values =>
  pickOptions<string>(given, what, [...TIMES, ...fields.slice(1).map(({ name }) => name)], "UNKNOWN_FIELD");

/** The tick of a time in one of the three forms. */
function tickOf(core: Core, schema: Schema, form: (typeof TIMES)[number], value: unknown): number {
  if (form === "ticks") {
    return numberIn(value, form, maxOf(schema.fields[0]));
  }
  const ms = time(value, form);
  const status = core.wasm.$tick(ms);
  return status === 0 ? (core.f64[DETAIL_INDEX] as number) : refuseTime(status, ms, schema, form);
}

/** An ID from all its fields. One form of the time is enough; several must agree. */
export function compose<I extends Id>({ schema, idType }: Codec<I>, given: unknown): I {
  const values = fieldsOf(given, "fields", schema);
  const core = use(schema);
  let ticks: number | undefined;
  for (const form of TIMES) {
    const value = values[form];
    if (value !== undefined) {
      const one = tickOf(core, schema, form, value);
      ticks ??= one;
      if (ticks !== one) {
        refuse("CONFLICT", form, value, `${form}: ${show(value)} is tick ${one}, not ${ticks}`);
      }
    }
  }
  if (ticks === undefined) {
    return wrongType("timestamp", ticks, "one of timestamp, time and ticks");
  }
  const numbers = schema.fields.map((field, i) => {
    const value = values[field.name];
    return i === 0
      ? (ticks as number)
      : value === undefined && schema.optional.includes(i)
        ? 0
        : numberIn(value, field.name, maxOf(field));
  });
  core.f64.set(numbers, FIELDS >> 3);
  if (core.wasm.$compose() !== 0) {
    refuseTime(STATUS_END_OF_LIFE, ticks, schema, "ticks");
  }
  return idType.takeValue(core);
}

/** An ID with some of its fields changed. A new time in any form replaces the old one. */
export function changed<I extends Id>(codec: Codec<I>, id: unknown, changes: unknown): I {
  const wanted = fieldsOf(changes, "changes", codec.schema);
  const { timestamp, time, ticks, ...rest } = inspect(codec, id) as unknown as Values;
  const kept = TIMES.some((form) => form in wanted) ? rest : { ticks, ...rest };
  return compose(codec, { ...kept, ...wanted });
}
