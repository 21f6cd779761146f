/** The core's small codes, put into words. */
import { type ErrorCode, GraupelError } from "../errors.js";
import { CODES, CROCKFORD, DETAIL, SNO } from "../generated/layouts.js";
import { show } from "./check.js";
import type { Core } from "./core.js";
import { type Facts, most, type Schema } from "./schema.js";

/** Where the first and the second detail of a status are, as indices of `f64`. */
export const FIRST = DETAIL >> 3;
export const SECOND_DETAIL = FIRST + 1;

/** Numbers of the codes that this side answers with as well, without asking the module. */
export const NUMBER = {
  LENGTH: CODES.indexOf("LENGTH"),
  OVERFLOW: CODES.indexOf("OVERFLOW"),
  RANGE: CODES.indexOf("RANGE"),
  /** Not the core's: a wrong type. */
  TYPE: -1,
} as const;

/** How the text of an ID looks, for a message. */
function looks(radix: number): string {
  return radix === SNO
    ? "a character of 2-9 and a-x"
    : radix === CROCKFORD
      ? "a character of Crockford's base 32 (0-9, A-Z without I L O U)"
      : radix <= 10
        ? `a digit of 0-${radix - 1}`
        : `a digit of 0-9 and a-${(radix - 1).toString(36)}`;
}

/** Characters that a text of the format may have, at least and at most. */
export function lengths(radix: number, max: bigint): { readonly min: number; readonly max: number } {
  return radix === SNO
    ? { min: 16, max: 16 }
    : radix === CROCKFORD
      ? { min: 13, max: 13 }
      : { min: 1, max: max.toString(radix).length };
}

/** Why an ID in any form was refused. */
export function idError(
  status: number,
  value: unknown,
  schema: Schema,
  facts: Facts,
  natural: string,
  radix: number,
  core: Core | undefined,
  field: string,
): GraupelError {
  const { name } = schema;
  const max = facts.max;
  if (status === NUMBER.TYPE) {
    const hint =
      typeof value === "number"
        ? `; a number cannot hold this format's IDs: pass ${natural === "bigint" ? "a bigint, or its text" : "its text"}`
        : "";
    const expected = natural === "string" ? "a string" : `a ${natural} or a string`;
    return new GraupelError("TYPE", `${name} ${field}: expected ${expected}, got ${show(value)}${hint}`, {
      field,
      value,
    });
  }
  const code = CODES[status] as ErrorCode;
  const text = show(value);
  switch (code) {
    case "LENGTH": {
      const range = lengths(radix, max);
      const length = (value as string).length;
      const expected = range.min === range.max ? `${range.min}` : `${range.min} to ${range.max}`;
      return new GraupelError(code, `${name} ${field}: expected ${expected} characters, got ${length}`, {
        field,
        value: length,
        range,
      });
    }
    case "CHARACTER": {
      const at = core?.f64[FIRST] ?? 0;
      const character = show((value as string)[at]);
      return new GraupelError(
        code,
        `${name} ${field}: expected ${looks(radix)} at position ${at}, got ${character} in ${text}`,
        {
          field,
          value,
          range: { min: at, max: at },
        },
      );
    }
    case "NOT_CANONICAL":
      return new GraupelError(code, `${name} ${field}: leading zeros are not canonical: ${text}`, {
        field,
        value,
      });
    default:
      return new GraupelError(code, `${name} ${field}: expected an integer of 0 to ${max}, got ${text}`, {
        field,
        value,
        range: { min: 0n, max },
      });
  }
}

/** Why a time was refused. */
export function timeError(
  status: number,
  value: unknown,
  schema: Schema,
  facts: Facts,
  field: string,
): GraupelError {
  const code = CODES[status] as ErrorCode;
  const side = code === "BEFORE_EPOCH" ? "before the epoch" : "past the last tick, or that tick is used up";
  const range = { min: schema.epoch, max: facts.endOfLife + schema.tickMs };
  return new GraupelError(
    code,
    `${schema.name}: ${field} ${show(value)} is ${side}; expected ${range.min} up to, not including, ${range.max}`,
    { field, value, range },
  );
}

/** Why a generator refused, where it is not the time itself. */
export function generatorError(status: number, value: number, schema: Schema, facts: Facts): GraupelError {
  const code = CODES[status] as ErrorCode;
  switch (code) {
    case "BEFORE_EPOCH":
    case "END_OF_LIFE":
      return timeError(status, value, schema, facts, "clock");
    case "CLOCK_BACKWARDS":
      return new GraupelError(
        code,
        `the clock went back to ${value}; wait, or choose clockBackwards "wait" or "hold"`,
        { field: "clock", value },
      );
    case "SEQUENCE_FULL":
      return new GraupelError(
        code,
        `the sequence of the tick at ${value} is used up (field ${schema.fields[schema.sequence]?.name}, ${most(schema.fields[schema.sequence]) + 1} values); try again in the next tick, or choose sequenceFull "wait" or "borrow"`,
        { field: schema.fields[schema.sequence]?.name, value },
      );
    case "TIME_TAKEN":
      return new GraupelError(
        code,
        `an ID for ${value} could repeat one: this identity has already issued IDs at or around that time; backfill with at() belongs on an identity of its own`,
        { field: "time", value },
      );
    case "RANDOM_FAILED":
      return new GraupelError(code, "the source of randomness failed or kept answering zero", {
        field: "random",
      });
    default:
      return new GraupelError(
        code,
        `the tick at ${value} lies outside the interval that this generator may use`,
        {
          field: "time",
          value,
        },
      );
  }
}
