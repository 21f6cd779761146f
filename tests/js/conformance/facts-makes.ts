/** Formats and generators that are made as their facts say, to compare them with what the facts say of them. */
import assert from "node:assert/strict";
import { GraupelError } from "graupel";
import type { AnyFormat } from "../support/any-format.ts";
import { type FormatFacts, make } from "../support/make.ts";

/** An epoch for formats whose user chooses it. */
export const EPOCH = Date.UTC(2020, 0, 1);
/** A time in the life of every format. */
export const NOON = Date.UTC(2025, 0, 1, 12);
const WIDE = { time: 41, region: 10, sequence: 12 };

/** What a declaration needs. */
export const needed = ({ declaration }: FormatFacts): Record<string, unknown> =>
  Object.fromEntries(
    declaration
      .filter(({ required }) => required)
      .map(({ name, kind }) => [name, kind === "fields" ? WIDE : EPOCH]),
  );

export const madeOf = (one: FormatFacts): AnyFormat => make(one.name, needed(one));

/** The options that a generator demands. */
export const numbers = ({ options, fields }: FormatFacts): Record<string, unknown> =>
  fields === null
    ? { region: 1 }
    : Object.fromEntries(options.filter(({ required }) => required).map(({ name }) => [name, 1]));

/** The error's code, field and range; or nothing. */
export function refusal(action: () => unknown): Partial<GraupelError> {
  try {
    action();
    return {};
  } catch (error) {
    assert.ok(GraupelError.is(error), String(error));
    return error;
  }
}

/** A generator on a clock of its own. Its random steps are small, so that they leave no tick by chance. */
export function scripted(one: FormatFacts, options: object = {}) {
  const clock = { now: NOON };
  const random = { random: (bytes: Uint8Array) => void bytes.fill(1) };
  const isRandom = one.options.some(({ name }) => name === "random");
  const own = { isolated: true, clock: () => clock.now, ...(isRandom && random) };
  return { clock, ids: madeOf(one).generator({ ...numbers(one), ...own, ...options }) };
}
