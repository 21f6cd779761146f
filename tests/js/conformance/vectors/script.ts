// Clocks and sources of randomness that follow a script, and the outcome of a call.
import assert from "node:assert/strict";
import { GraupelError } from "graupel";
import { ScriptedClock as Clock, hurried } from "../../support/scripted-clock.ts";
import { bytes, type Item, type Json } from "./data.ts";

/** Returns the readings of a step in order, then repeats the last one. */
export class ScriptedClock extends Clock {
  /**
   * Sets the readings of a step: one or a list, in units of `tickMs` after `start`. Returns the
   * last.
   */
  set(step: Json | undefined, start: number, tickMs = 1): number {
    const readings: number[] = typeof step === "number" ? [step] : step;
    this.script(readings.map((reading) => start + reading * tickMs));
    return start + (readings.at(-1) ?? Number.NaN) * tickMs;
  }
}

/** Returns the listed draws. Each must be requested with its length. */
export class ScriptedRandom {
  #draws: Uint8Array[] = [];
  #problem: string | undefined;

  readonly fill = (target: Uint8Array): void => {
    const draw = this.#draws.shift();
    if (draw?.length !== target.length) {
      this.#problem ??= `drew ${target.length} bytes where ${draw?.length ?? "nothing"} is listed`;
    }
    target.set((draw ?? new Uint8Array()).subarray(0, target.length));
  };

  set(draws: Json | undefined): void {
    this.#draws = draws.map(bytes);
    this.#problem = undefined;
  }

  /** Throws if a draw did not match the list, or if a call that had to use all draws left some. */
  check(code: string | undefined): void {
    assert.equal(this.#problem, undefined);
    // If the time is outside the format or the clock goes back, the call fails before it draws.
    if (code === undefined || code === "SEQUENCE_FULL") {
      assert.equal(this.#draws.length, 0, "did not use all of the randomness");
    }
  }
}

/** The outcome of a call: its value or its error code. */
export type Outcome<T> = { readonly value: T; readonly code?: undefined } | { readonly code: string };

/** Runs a call. Rethrows errors other than a GraupelError or the error for invalid JSON. */
export function outcome<T>(call: () => T): Outcome<T> {
  try {
    return { value: call() };
  } catch (error) {
    if (GraupelError.is(error)) {
      return { code: error.code };
    }
    if (error instanceof SyntaxError) {
      return { code: "SYNTAX" };
    }
    throw error;
  }
}

/** The outcome of an asynchronous call, with timers that fire as soon as they are set. */
export async function awaited<T>(call: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await hurried(call) };
  } catch (error) {
    return outcome((): T => {
      throw error;
    });
  }
}

/** Checks that a call fails with this code. */
export function refused(call: () => unknown, code: string): void {
  const found = outcome(call);
  assert.equal(found.code, code, found.code === undefined ? `accepted as ${String(found.value)}` : undefined);
}

/**
 * Checks that a call has the outcome under `here`, an error code or a value. Without `here`, its
 * value must equal the reference's, which is `undefined` if the reference failed. An item must name
 * a deviation exactly if the two differ.
 */
export function agrees<T>(
  item: Item,
  call: () => T,
  recorded: Json | undefined,
  view: (value: T) => Json,
): void {
  const found = outcome(call);
  const here = item.here;
  assert.deepEqual(found.code ?? view(found.value), here ?? recorded);
  const differs = found.code === undefined ? here !== null : recorded !== undefined;
  assert.equal(item.deviation !== null, differs, "a deviation");
}

/** Unix ms with three decimals from nanoseconds, without rounding up. */
export function unixMs(nanoseconds: bigint): number {
  const whole = nanoseconds / 1000n;
  return Number(whole * 1000n > nanoseconds ? whole - 1n : whole) / 1000;
}
