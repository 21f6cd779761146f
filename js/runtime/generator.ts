/**
 * Generators: one call to the module per ID, and all the waiting. What a generator is made of (its format, how an ID
 * is asked for) comes from the format's own file; its state is in a cell, which its identity names.
 */
import { type CoreCode, GraupelError } from "../errors.js";
import {
  CODES,
  DATA_BYTES,
  DRAW,
  FROM_CALLER,
  FROM_PLATFORM,
  MOST_DRAWS,
  WAIT,
} from "../generated/layouts.js";
import type { Stats, Time } from "../types.js";
import { type Cell, cellOf, type Identity } from "./cells.js";
import { time as timeOf, whole, wrongType } from "./check.js";
import type { Natural } from "./codec.js";
import type { Core } from "./core.js";
import type { Inner } from "./format.js";
import { type Kind, SNO_FORM } from "./kinds.js";
import type { Waiter } from "./line.js";
import { asyncOptions, type Policy } from "./options.js";
import { FIRST, generatorError, SECOND_DETAIL } from "./refusals.js";
import { STATE, save } from "./snapshot.js";
import { lateError, stuck, waitUntil } from "./time.js";

/** The most IDs of one call: beyond it, arrays of BigInts or strings are more than an engine will hold. */
export const MOST_AT_ONCE = 2 ** 24;

/** What a format's file hands over. */
export interface Plan<Id extends Natural, Many> {
  readonly inner: Inner<Id>;
  readonly kind: Kind<Id, Many>;
  readonly policy: Policy;
  /** Evaluated at the first operation: sno's automatic partition reads a clock. */
  identity(): Identity;
  /** What the slot's rule must be for this generator. */
  readonly rule: number;
  /** An injected source of randomness. */
  readonly random: ((bytes: Uint8Array) => void) | undefined;
  /** sno: a metabyte, checked. */
  extra(value: unknown): number;
  /** Restores a snapshot, once, when the cell is first touched. */
  restore: ((cell: Cell, fresh: boolean) => void) | undefined;
}

/** A generator with the format-specific argument still in the open. */
export interface Engine<Id extends Natural, Many> {
  next(extra?: unknown): Id;
  nextMany(n: number, extra?: unknown): Many;
  nextAsync(options?: unknown): Promise<Id>;
  at(time: Time, extra?: unknown): Id;
  stats(): Stats;
  /** The cell, made now if it has to be. */
  cell(): Cell;
}

export function engine<Id extends Natural, Many>(plan: Plan<Id, Many>): Engine<Id, Many> {
  const { inner, kind, policy, rule, random, extra } = plan;
  const { schema, facts } = inner;
  const { read, how, patient, maxWaitMs, maxAhead, onClockBackwards, onOverflow } = policy;
  const source = random === undefined ? FROM_PLATFORM : FROM_CALLER;
  const watched = onClockBackwards !== undefined || onOverflow !== undefined;
  let own: Cell | undefined;

  const cell = (): Cell => {
    if (own === undefined) {
      const { cell, fresh } = cellOf(plan.identity(), policy.clock, random !== undefined);
      plan.restore?.(cell, fresh);
      own = cell;
    }
    return own;
  };

  /** The slot's rule, if another generator of the identity has set its own. */
  const ruled = (c: Cell): Cell => {
    if (c.rule !== rule) {
      c.core.wasm.rule(c.slot, rule);
      c.rule = rule;
    }
    return c;
  };

  /** Random bits from the injected source, big-endian. */
  const draw = (core: Core): number => {
    const length = core.f64[FIRST] as number;
    const bytes = new Uint8Array(length);
    random?.(bytes);
    if (bytes.length !== length) {
      throw new GraupelError("RANDOM_FAILED", "random: the bytes to fill were detached", { field: "random" });
    }
    return bytes.reduce((bits, byte) => bits * 256 + byte, 0);
  };

  /** One attempt at the reading `now`: an ID, or `undefined` with the reason in `core.status`. */
  const attempt = (
    c: Cell,
    now: number,
    policyNumber: number,
    metabyte: number,
    waiting: boolean,
  ): Id | undefined => {
    const { core, slot } = ruled(c);
    const before = watched ? save(c).slice(STATE.highest, STATE.end) : undefined;
    let id = kind.one(core, slot, now, policyNumber, maxAhead, metabyte, source);
    for (let draws = 0; id === undefined && core.status === DRAW; draws++) {
      if (draws === MOST_DRAWS) {
        core.status = CODES.indexOf("RANDOM_FAILED");
        break;
      }
      const bits = draw(core);
      id = kind.one(core, slot, now, policyNumber, maxAhead, metabyte, bits);
    }
    if (before !== undefined) {
      report(c, now, before, waiting, id === undefined && core.status === WAIT);
    }
    return id;
  };

  /**
   * Tells the callbacks what the attempt met. It is over by then: they may call the generator, or throw. The reason
   * for a missing ID survives them. Asynchronous calls report overflows by their line, tick by tick.
   */
  const report = (c: Cell, now: number, before: Float64Array, waiting: boolean, waits: boolean): void => {
    const { core } = c;
    const { status } = core;
    const details = core.f64.slice(FIRST, FIRST + 2);
    const after = save(c);
    const rose = (index: number) => after[index] !== before[index - STATE.highest];
    const [overflow, back] = [!waiting && rose(STATE.overflows), rose(STATE.regressions)];
    if (back) {
      onClockBackwards?.({ reading: now, highest: schema.epoch + (before[0] as number) * schema.tickMs });
    }
    if (overflow) {
      onOverflow?.({ time: now, count: c.line.length + (waits ? 1 : 0), ticks: 1 });
    }
    core.f64.set(details, FIRST);
    core.status = status;
  };

  /** After an attempt without an ID: waits as far as `budget` goes, and returns the reading to go on with. */
  const settle = (c: Cell, now: number, budget: number): number => {
    const { core } = c;
    if (core.status !== WAIT) {
      throw generatorError(core.status, now, schema, facts);
    }
    const until = core.f64[FIRST] as number;
    const cause = CODES[core.f64[SECOND_DETAIL] as number] as CoreCode;
    const late = () => lateError(cause, until - now, maxWaitMs);
    if (until - now > budget) {
      throw late();
    }
    const reading = waitUntil(read, until, maxWaitMs, late);
    c.waitedMs += reading - now;
    return reading;
  };

  return {
    cell,
    next(given) {
      const metabyte = extra(given);
      const c = cell();
      let budget = maxWaitMs;
      let now = read();
      for (let waits = 0; ; waits++) {
        const id = attempt(c, now, how, metabyte, false);
        if (id !== undefined) {
          return id;
        }
        const reading = settle(c, now, budget);
        c.waits += waits === 0 ? 1 : 0;
        budget -= Math.max(0, reading - now);
        now = reading;
      }
    },
    nextMany(count, given) {
      const n = whole(count, "n", MOST_AT_ONCE);
      const metabyte = extra(given);
      const many = kind.make(n);
      if (n === 0) {
        return many;
      }
      const c = cell();
      const start = save(c).slice(STATE.highest, STATE.end);
      const issued = start[STATE.issued - STATE.highest] as number;
      const { restores } = c;
      const perFill = Math.floor(DATA_BYTES / kind.size);
      let done = 0;
      let waits = 0;
      try {
        let now = read();
        while (done < n) {
          const { core, slot } = ruled(c);
          if (random === undefined && !watched) {
            const filled = core.wasm.fill(
              slot,
              now,
              patient,
              maxAhead,
              Math.min(n - done, perFill),
              kind.form,
              metabyte,
            );
            core.status = core.wasm.status();
            kind.move(core, many, done, filled);
            done += filled;
            if (core.status === 0) {
              continue;
            }
          } else {
            const id = attempt(c, now, patient, metabyte, false);
            if (id !== undefined) {
              (many as Record<number, Id>)[done++] = id;
              continue;
            }
          }
          now = settle(c, now, maxWaitMs);
          c.waits += waits++ === 0 ? 1 : 0;
        }
      } catch (error) {
        // All or an error: IDs that nobody has seen are taken back, unless a callback has made IDs or restored a state since.
        const { core, slot } = c;
        if ((save(c)[STATE.issued] as number) - issued === done && c.restores === restores) {
          core.f64.set(start, STATE.highest);
          core.wasm.restore(slot);
        }
        throw error;
      }
      return many;
    },
    async nextAsync(options = {}) {
      const { signal, metabyte } = asyncOptions(options, plan.kind.form === SNO_FORM ? ["metabyte"] : []);
      const checked = extra(metabyte);
      signal?.throwIfAborted();
      const c = cell();
      return new Promise<Id>((resolve, reject) => {
        const entered = performance.now();
        let first: number | undefined;
        let until = Number.NEGATIVE_INFINITY;
        let cause: CoreCode = "SEQUENCE_FULL";
        let over = false;
        const finish = (settle: () => void): number => {
          over = true;
          signal?.removeEventListener("abort", abort);
          settle();
          return 0;
        };
        const waiter: Waiter = {
          listener: onOverflow,
          poll() {
            try {
              const now = read();
              // Until the reading that was waited for is reached, lower ones do not count: as in `waitUntil`.
              const id = now < until ? undefined : attempt(c, now, patient, checked, true);
              if (id !== undefined) {
                c.waitedMs += Math.max(0, now - (first ?? now));
                c.line.served = performance.now();
                return finish(() => resolve(id));
              }
              if (now >= until) {
                const { core } = c;
                if (core.status !== WAIT) {
                  throw generatorError(core.status, now, schema, facts);
                }
                until = core.f64[FIRST] as number;
                cause = CODES[core.f64[SECOND_DETAIL] as number] as CoreCode;
              }
              const ms = until - now;
              if (ms > maxWaitMs) {
                throw lateError(cause, ms, maxWaitMs);
              }
              c.waits += first === undefined ? 1 : 0;
              first ??= now;
              // The bound runs while nobody in the line is served: then all of its calls end together.
              const elapsed = performance.now() - Math.max(entered, c.line.served);
              if (elapsed > maxWaitMs) {
                throw now === first ? stuck(now, maxWaitMs) : lateError(cause, elapsed, maxWaitMs);
              }
              // A callback of the attempt may have aborted the call.
              return over ? 0 : ms;
            } catch (error) {
              return finish(() => reject(error));
            }
          },
        };
        const abort = () => {
          c.line.leave(waiter);
          finish(() => reject(signal?.reason));
        };
        signal?.addEventListener("abort", abort, { once: true });
        c.line.enter(waiter, read);
      });
    },
    at(given, value) {
      const ms = timeOf(given, "time");
      const metabyte = extra(value);
      const c = ruled(cell());
      const { core, slot } = c;
      const sno = Number(kind.form === SNO_FORM);
      let status = core.wasm.at(slot, ms, source, sno, metabyte);
      for (let draws = 0; status === DRAW; draws++) {
        if (draws === MOST_DRAWS) {
          status = CODES.indexOf("RANDOM_FAILED");
          break;
        }
        status = core.wasm.at(slot, ms, draw(core), sno, metabyte);
      }
      if (status !== 0) {
        throw generatorError(status, ms, schema, facts);
      }
      return inner.codec.take(core, schema);
    },
    stats() {
      const c = cell();
      const f64 = save(c);
      const number = (index: number) => f64[index] as number;
      return {
        issued: number(STATE.issued),
        waits: c.waits,
        waitedMs: c.waitedMs,
        clockRegressions: number(STATE.regressions),
        largestRegressionMs: number(STATE.largestRegression) * schema.tickMs,
        overflows: number(STATE.overflows),
        aheadMs: Math.max(0, number(STATE.last) - number(STATE.highest)) * schema.tickMs,
      };
    },
  };
}

/** A source of randomness, or nothing. */
export function randomSource(value: unknown): ((bytes: Uint8Array) => void) | undefined {
  return value === undefined || typeof value === "function"
    ? (value as ((bytes: Uint8Array) => void) | undefined)
    : wrongType("random", value, "a function");
}

/** A metabyte. */
export const metabyteOf = (value: unknown): number =>
  value === undefined ? 0 : whole(value, "metabyte", 255);

/** No format-specific argument. */
export const nothing = (): number => 0;
