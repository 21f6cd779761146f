/** Turns the core's statuses into errors. */

import { codeOf, refuse, refuseSaying, show } from "../errors.js";
import { DETAIL } from "../generated/constants.js";
import { load } from "./load.js";
import { lengths, type Schema } from "./schema.js";

/** A wrong type. Not a status of the core. */
export const STATUS_TYPE = -1;

/** The allowed characters, for a message. */
const alphabet = (radix: number, { radix: own, text }: Schema): string =>
  (radix === own ? text?.characters : undefined) ?? `a digit of base ${radix}`;

/** Refuses an ID in any form. */
export function refuseId(
  status: number,
  value: unknown,
  schema: Schema,
  radix: number,
  field: string,
): never {
  const { name, max, idType, decimalHint } = schema;
  const code = status === STATUS_TYPE ? "TYPE" : codeOf(status);
  const text = value as string;
  let got = value;
  let what = `an integer from 0 to ${max}`;
  let least: number | bigint | undefined;
  let most: number | bigint | undefined;
  if (code === "TYPE") {
    const hint =
      typeof value === "number" ? ", as JSON and drivers round (supportBigNumbers, safeIntegers)" : "";
    what = idType.type === "string" ? "a string" : `a ${idType.type} or its text${hint}`;
  } else if (code === "LENGTH") {
    got = text.length;
    ({ min: least, max: most } = lengths(radix, schema));
    // Engines keep the last text that a regular expression has read, so it reads no huge one.
    const isDecimal = radix > 10 && text.length < 99 && /^\d+$/.test(text);
    what = `${least === most ? least : `${least} to ${most}`} characters${isDecimal ? decimalHint : ""}`;
  } else if (code === "CHARACTER") {
    least = most = load().f64[DETAIL >> 3] as number;
    what = `${alphabet(radix, schema)} at position ${most}, got ${show(text[most])} in ${show(text)}`;
  } else if (code !== "NOT_CANONICAL") {
    least = 0n;
    most = max;
  }
  return refuse(code, field, got, what, least, most, `${name} ${field}`);
}

/** Refuses a time outside the format's life. */
export function refuseTime(status: number, value: unknown, schema: Schema, field: string): never {
  const { name, epoch, endOfLife, tickMs } = schema;
  const end = endOfLife + tickMs;
  const range = `${epoch} up to, not including, ${end}`;
  refuse(codeOf(status), field, value, range, epoch, end, `${name}: ${field}`);
}

/** Refuses to make an ID at the reading, or for the given time, `value`. `descends`: `at` was given a higher time before. */
export function refuseToMake(status: number, value: number, schema: Schema, descends = false): never {
  const { name, fields, sequence } = schema;
  const code = codeOf(status);
  if (code === "BEFORE_EPOCH" || code === "END_OF_LIFE") {
    refuseTime(status, value, schema, "clock");
  }
  const counter = fields[sequence]?.name;
  const field =
    code === "SEQUENCE_FULL"
      ? counter
      : code === "TIME_TAKEN"
        ? "time"
        : code === "RANDOM_FAILED"
          ? "random"
          : "clock";
  const label = `${name}, at ${value}`;
  return descends && code === "TIME_TAKEN"
    ? refuseSaying(code, field, value, `${label}: from here on, times must ascend; sort them`)
    : refuse(code, field, value, counter, undefined, undefined, label);
}
