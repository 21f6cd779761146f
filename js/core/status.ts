/** Turns the core's statuses into errors. */

import { dateOf, type Given } from "../checks.js";
import { type CoreCode, fail, show } from "../errors.js";
import type { Schema } from "./schema.js";

/**
 * The sentences in the order of the codes' numbers (src/error.rs). `label`: the argument; `what`:
 * the expected value; `got`: the actual value. The compiler requires a sentence for every code.
 */
function sentences(label?: unknown, what?: unknown, got?: unknown): Record<CoreCode, string> {
  const expected = `${label}: expected ${what}, got ${got}`;
  return {
    LENGTH: expected,
    CHARACTER: `${label}: expected ${what}`,
    NOT_CANONICAL: `${label}: leading zeros are not canonical: ${got}`,
    OVERFLOW: expected,
    RANGE: expected,
    // A placeholder: this error has its own messages.
    CONFLICT: "",
    BEFORE_EPOCH: `${label} ${got} is before the epoch; expected ${what}`,
    END_OF_LIFE: `${label} ${got} is too late; expected ${what}`,
    CLOCK_BACKWARDS: `${label}: the clock went back; set clockBackwards to "wait" or "hold"; in tests, set isolated: true`,
    SEQUENCE_FULL: `${label}: ${what} is used up; set sequenceFull to "wait" or "borrow"`,
    TIME_TAKEN: `${label}: an ID of that time may exist; use another worker ID; in tests, set isolated: true`,
    OUTSIDE_INTERVAL: `${label}: the lease expired: the event loop or the store was blocked, or the clock is ahead; use nextAsync()`,
    RANDOM_FAILED: `${label}: random must fill its bytes`,
  };
}

/** The code of a status. */
export const codeOf = (status: number): CoreCode => Object.keys(sentences())[status - 1] as CoreCode;

/** The codes of the errors of js/read/load.ts, which count down from -1. */
const UNREAD = ["OVERFLOW", "RANGE", "TYPE", "LENGTH", "NOT_CANONICAL"] as const;

/** Throws for a value that is not an ID or its text. `error`: that of js/read/load.ts. */
export function failId(error: number, value: unknown, schema: Schema, field = "id"): never {
  const code = UNREAD[~error] ?? "CHARACTER";
  const position = ~error - UNREAD.length;
  const { name, max, idType, radix, text, shortest, longest } = schema;
  let got = value;
  let what = `an integer from 0 to ${max}`;
  let least: number | bigint | undefined;
  let most: number | bigint | undefined;
  if (code === "TYPE") {
    const hint =
      typeof value === "number"
        ? ", because numbers are rounded (set supportBigNumbers or safeIntegers)"
        : "";
    what = idType.type === "string" ? "a string" : `a ${idType.type} or its text${hint}`;
  } else if (code === "LENGTH") {
    const given = value as string;
    got = given.length;
    [least, most] = [shortest, longest];
    // Engines keep the last text that a regular expression has read, so do not pass it a huge one.
    const isDecimal = !text && radix > 10 && given.length < 99 && /^\d+$/.test(given);
    // Database drivers return 64-bit columns as decimal text.
    const hint = isDecimal ? " (decimal text: parse(text, 10))" : "";
    what = `${least === most ? least : `${least} to ${most}`} characters${hint}`;
  } else if (code === "CHARACTER") {
    least = most = position;
    const allowed = text?.characters ?? `a digit of base ${radix}`;
    what = `${allowed} at position ${position}, got ${show((value as string)[position])} in ${show(value)}`;
  } else if (code !== "NOT_CANONICAL") {
    least = 0n;
    most = max;
  }
  const said = sentences(`${name} ${field}`, what, show(got));
  return fail(code, field, got, code === "TYPE" ? said.RANGE : said[code], least, most);
}

/** Throws for a time outside the format's life. */
export function failTime(status: number, value: number, schema: Schema, field: string): never {
  const { name, epoch, endOfLife, tickMs } = schema;
  const end = endOfLife + tickMs;
  const range = `${dateOf(epoch)} to before ${dateOf(end)}`;
  const got = dateOf(field === "ticks" ? epoch + value * tickMs : value);
  const code = codeOf(status);
  fail(code, field, value, sentences(`${name}: ${field}`, range, got)[code], epoch, end);
}

/**
 * Throws because there is no ID for `value`, a reading or a given time. `advice`: what helps against
 * a full tick or a taken time, if it is not the usual.
 */
export function failToIssue(status: number, value: number, schema: Schema, advice?: string): never {
  const { name, fields, sequence } = schema;
  const code = codeOf(status);
  if (code === "BEFORE_EPOCH" || code === "END_OF_LIFE") {
    failTime(status, value, schema, "clock");
  }
  const counter = fields[sequence]?.name;
  const fieldOf: Given = { SEQUENCE_FULL: counter, TIME_TAKEN: "time", RANDOM_FAILED: "random" };
  const field = (fieldOf[code] ?? "clock") as string;
  const label = `${name}, at ${dateOf(value)}`;
  return fail(code, field, value, advice ? `${label}: ${advice}` : sentences(label, counter)[code]);
}
