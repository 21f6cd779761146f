// Clocks and sources of randomness that follow a script, and the outcome of a call.
import assert from "node:assert/strict";
import { mock } from "node:test";
import { ScriptedClock as Clock } from "../../support/scripted-clock.ts";
import { bytes, type Json, list, number, text } from "./data.ts";
import { GraupelError } from "./package.ts";

/** Returns the readings of a step in order, then the last one repeatedly. */
export class ScriptedClock extends Clock {
  /** The readings of a step: one, or a list, each in units of `tickMs` after `start`; returns the last. */
  set(step: Json | undefined, start: number, tickMs = 1): number {
    const readings = typeof step === "number" ? [step] : list(step).map(number);
    this.script(readings.map((reading) => start + reading * tickMs));
    return start + (readings.at(-1) ?? Number.NaN) * tickMs;
  }
}

/** Returns listed draws. Each must be requested with its own length. */
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
    this.#draws = list(draws).map((draw) => bytes(text(draw)));
    this.#problem = undefined;
  }

  /** Throws if a draw was not as listed, or if draws are left. */
  finish(): void {
    assert.equal(this.#problem, undefined);
    assert.equal(this.#draws.length, 0, "did not use all of the randomness");
  }

  /** Throws if a draw was not as listed. */
  check(): void {
    assert.equal(this.#problem, undefined);
  }
}

/** The outcome of a call: a value, or the code of its error. */
export type Outcome<T> = { readonly value: T; readonly code?: undefined } | { readonly code: string };

/** Runs a call. Throws every other error than a GraupelError. */
export function outcome<T>(call: () => T): Outcome<T> {
  try {
    return { value: call() };
  } catch (error) {
    if (GraupelError.is(error)) {
      return { code: error.code };
    }
    throw error;
  }
}

/** Lets everything that is due run, without a timer. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) {
    await Promise.resolve();
  }
}

/** The outcome of an asynchronous call, with timers that fire as soon as they are set. */
export async function awaited<T>(call: () => Promise<T>): Promise<Outcome<T>> {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    let ended = false;
    const promise = call().finally(() => {
      ended = true;
    });
    // The rejection is handled below.
    promise.catch(() => undefined);
    for (let round = 0; !ended; round++) {
      assert.ok(round < 100, "waits for ever");
      await settle();
      mock.timers.runAll();
    }
    const value = await promise;
    return { value };
  } catch (error) {
    return outcome((): T => {
      throw error;
    });
  } finally {
    mock.timers.reset();
  }
}

/** The error code of a call that must be refused. */
export function refusal(call: () => unknown): string {
  const result = outcome(call);
  return result.code ?? assert.fail(`was accepted: ${String(result.value)}`);
}

/** Asserts that a call is refused with one of these codes. */
export function refused(call: () => unknown, ...codes: string[]): void {
  const code = refusal(call);
  assert.ok(codes.includes(code), `refused with ${code} instead of ${codes.join(" or ")}`);
}

/** The value of a call that must not be refused. */
export function accepted<T>(result: Outcome<T>, what: string): T {
  return result.code === undefined ? result.value : assert.fail(`${what}: refused with ${result.code}`);
}

/** Unix ms with three decimals, from a time in nanoseconds: nothing is rounded up. */
export function unixMs(nanoseconds: bigint): number {
  const whole = nanoseconds / 1000n;
  return Number(whole * 1000n > nanoseconds ? whole - 1n : whole) / 1000;
}
