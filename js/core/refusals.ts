/** The core's small codes, put into words. */

import { expected, show } from "../checks.js";
import { type ErrorCode, refuse } from "../errors.js";
import { CODES, DETAIL } from "../generated/layouts.js";
import { load } from "./load.js";
import { lengths, type Schema } from "./schema.js";

/** Where the details of a status are, as indices of `f64`. */
export const FIRST = DETAIL >> 3;

/** Not one of the core's: a wrong type. */
export const STATUS_TYPE = -1;

/** The characters of a text, for a message. */
const alphabet = (radix: number, { radix: own, text }: Schema): string =>
  (radix === own ? text?.characters : undefined) ?? `a digit of base ${radix}`;

/** Refuses an ID in any form; `type` is the format's natural one. */
export function refuseId(
  status: number,
  value: unknown,
  schema: Schema,
  type: string,
  radix: number,
  field: string,
): never {
  const { name, max } = schema;
  const label = `${name} ${field}`;
  const code = (CODES[status] ?? "TYPE") as ErrorCode;
  const text = value as string;
  if (code === "TYPE") {
    const both = `a ${type}${type === "string" ? "" : " or its text"}`;
    const hint = typeof value === "number" ? ", as a number cannot hold such an ID" : "";
    expected(code, field, both + hint, value, undefined, undefined, label);
  }
  if (code === "LENGTH") {
    const { min, max } = lengths(radix, schema);
    const range = min === max ? min : `${min} to ${max}`;
    // Database drivers return 64-bit columns as decimal text.
    const decimal = radix > 10 && radix <= 36 && /^\d+$/.test(text) ? "; decimal text: parse(text, 10)" : "";
    expected(code, field, `${range} characters${decimal}`, text.length, min, max, label);
  }
  if (code === "CHARACTER") {
    const at = load().f64[FIRST] as number;
    const got = `${show(text[at])} in ${show(text)}`;
    refuse(
      code,
      `${label}: expected ${alphabet(radix, schema)} at position ${at}, got ${got}`,
      field,
      value,
      at,
      at,
    );
  }
  if (code === "NOT_CANONICAL") {
    refuse(code, `${label}: leading zeros are not canonical: ${show(text)}`, field, value);
  }
  expected(code, field, `an integer from 0 to ${max}`, value, 0n, max, label);
}

/** Refuses a time. */
export function refuseTime(status: number, value: unknown, schema: Schema, field: string): never {
  const { name, epoch, endOfLife, tickMs } = schema;
  const end = endOfLife + tickMs;
  const code = CODES[status] as ErrorCode;
  const side = code === "BEFORE_EPOCH" ? "before the epoch" : "past the last tick, or that is used up";
  const range = `${epoch} up to, not including, ${end}`;
  refuse(code, `${name}: ${field} ${show(value)} is ${side}; expected ${range}`, field, value, epoch, end);
}

const SHARED_STATE = "; in tests, say isolated: true";

/** What refuses an ID where time itself is not to blame: the argument, and what happened. */
const REASONS: Partial<Record<ErrorCode, readonly [field: string, reason: string]>> = {
  CLOCK_BACKWARDS: [
    "clock",
    `the clock went back; wait, or choose clockBackwards "wait" or "hold"${SHARED_STATE}`,
  ],
  TIME_TAKEN: [
    "time",
    `an ID of that time could repeat one of this identity; backfill on an identity of its own${SHARED_STATE}`,
  ],
  OUTSIDE_INTERVAL: ["clock", "outside the time in which this generator may make IDs"],
  RANDOM_FAILED: ["random", "the source of randomness failed or gave zeros"],
};

const DESCENDS = "from here on, times must ascend; sort them";

/** Refuses to make an ID at the reading, or for the given time, `value`; `descends`: a time below one that was given. */
export function refuseToMake(status: number, value: number, schema: Schema, descends = false): never {
  const code = CODES[status] as ErrorCode;
  const [field, reason] = REASONS[code] ?? [];
  const at = `${schema.name}, at ${value}: `;
  if (field !== undefined) {
    refuse(code, at + (descends ? DESCENDS : reason), field, value);
  }
  if (code !== "SEQUENCE_FULL") {
    refuseTime(status, value, schema, "clock");
  }
  const counter = schema.fields[schema.sequence]?.name;
  refuse(
    code,
    `${at}${counter} is used up; try again in the next tick, or choose sequenceFull "wait" or "borrow"`,
    counter,
    value,
  );
}
