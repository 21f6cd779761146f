/**
 * Generators: one call to the module per ID, and all the waiting. What a generator is made of (its format, how an ID
 * is asked for) comes from the format's own file; its state is in a cell, which its identity names.
 */
import type { CoreCode } from "../errors.js";
import {
  BATCH_BYTES,
  CODES,
  DATA,
  DRAW,
  FROM_CALLER,
  FROM_PLATFORM,
  METABYTE_SHIFT,
  MOST_DRAWS,
  STATUS_RANDOM_FAILED,
  WAIT,
} from "../generated/layouts.js";
import type { Stats, Time } from "../types.js";
import { type Cell, cellOf, type Identity } from "./cells.js";
import { time as timeOf, whole } from "./check.js";
import type { Core } from "./core.js";
import type { Waiter } from "./line.js";
import type { Id, Natural } from "./natural.js";
import { asyncOptions, type Policy } from "./options.js";
import { FIRST, refuseToMake } from "./refusals.js";
import type { Schema } from "./schema.js";
import {
  HIGHEST,
  ISSUED,
  LARGEST_REGRESSION,
  LAST,
  OVERFLOWS,
  put,
  REGRESSIONS,
  type State,
  save,
  saved,
} from "./snapshot.js";
import { elapsed, refuseWait, stuck, waitUntil } from "./time.js";

/** The most IDs of one call: beyond it, arrays of BigInts or strings are more than an engine will hold. */
export const MOST_AT_ONCE = 2 ** 24;

const issued = (state: State) => state[ISSUED] as number;

/** What a format's file hands over. */
export interface Plan<I extends Id, Many> {
  readonly schema: Schema;
  readonly natural: Natural<I, Many>;
  readonly policy: Policy;
  /** Evaluated at the first operation: sno's automatic partition reads a clock. */
  identity(): Identity;
  /** What the slot's rule must be for this generator. */
  readonly rule: number;
  /** An injected source of randomness. */
  readonly random: ((bytes: Uint8Array) => void) | undefined;
  /** sno: checks a metabyte. The other formats have none, and do not look at what stands in its place. */
  readonly metabyte: ((value: unknown) => number) | undefined;
  /** Restores a snapshot, once, when the cell is first touched. */
  restore: ((cell: Cell, fresh: boolean) => void) | undefined;
}

/** A generator, with sno's argument still unchecked. */
export interface Engine<I extends Id, Many> {
  next(metabyte?: unknown): I;
  nextMany(n: number, metabyte?: unknown): Many;
  nextAsync(options?: unknown): Promise<I>;
  at(time: Time, metabyte?: unknown): I;
  stats(): Stats;
}

/** The generator, and its cell, which is made when it is first asked for. */
export function engine<I extends Id, Many>(plan: Plan<I, Many>): [Engine<I, Many>, () => Cell] {
  const { schema, natural, policy, rule, random } = plan;
  const { read, how, patient, maxWaitMs, maxAhead, onClockBackwards, onOverflow } = policy;
  const source = random === undefined ? FROM_PLATFORM : FROM_CALLER;
  const watched = onClockBackwards !== undefined || onOverflow !== undefined;
  const alone = random === undefined && !watched;
  let own: Cell | undefined;

  const open = (): Cell => {
    const { cell, fresh } = cellOf(plan.identity(), policy.clock, random !== undefined);
    plan.restore?.(cell, fresh);
    own = cell;
    return cell;
  };

  const cell = (): Cell => own ?? open();

  /** The cell's core, with this generator's rule in the slot: another one of the identity may have set its own. */
  const ruled = (c: Cell): Core => {
    if (c.rule !== rule) {
      c.core.wasm.rule(c.slot, rule);
      c.rule = rule;
    }
    return c.core;
  };

  /** How an ID is asked for, its metabyte included. */
  const asked = (how: number, metabyte: unknown): number =>
    metabyte === undefined || plan.metabyte === undefined
      ? how
      : how + plan.metabyte(metabyte) * 2 ** METABYTE_SHIFT;

  /**
   * Asks, and as long as the answer is to draw, again with random bits from the injected source, big-endian. A source that
   * keeps answering zero, or takes the bytes away, is none.
   */
  const drawing = (core: Core, now: number, ask: (bits: number) => number): number => {
    let status = ask(source);
    for (let draws = 0; status === DRAW; draws++) {
      const length = core.f64[FIRST] as number;
      const bytes = new Uint8Array(draws < MOST_DRAWS ? length : 0);
      if (bytes.length > 0) {
        random?.(bytes);
      }
      if (bytes.length !== length) {
        refuseToMake(STATUS_RANDOM_FAILED, now, schema);
      }
      status = ask(bytes.reduce((bits, byte) => bits * 256 + byte, 0));
    }
    return status;
  };

  /** One attempt at the reading `now`: 0, and the ID is there to be taken; or why not. */
  const attempt = (c: Cell, now: number, call: number, late: boolean): number => {
    const { wasm } = ruled(c);
    return alone ? wasm.next(c.slot, now, call, maxAhead, source) : observed(c, now, call, late);
  };

  /** The same where the caller's own functions take part: a source of randomness, or callbacks. */
  const observed = (c: Cell, now: number, call: number, late: boolean): number => {
    const { core, slot } = c;
    const before = watched ? save(c).slice() : undefined;
    const status = drawing(core, now, (bits) => core.wasm.next(slot, now, call, maxAhead, bits));
    return before === undefined ? status : report(c, now, before, late, status);
  };

  /**
   * Tells the callbacks what the attempt met. It is over by then: they may call the generator, or throw. The ID or the
   * reason for its absence survives them. Asynchronous calls report overflows by their line, tick by tick.
   */
  const report = (c: Cell, now: number, before: Float64Array, late: boolean, status: number): number => {
    const result = c.core.u8.slice(0, DATA + natural.size);
    const after = save(c);
    const full = after[OVERFLOWS] !== before[OVERFLOWS] && !late;
    if (after[REGRESSIONS] !== before[REGRESSIONS]) {
      const highest = schema.epoch + (before[HIGHEST] as number) * schema.tickMs;
      onClockBackwards?.({ reading: now, highest });
    }
    if (full) {
      onOverflow?.({ time: now, count: c.line.length() + (status === WAIT ? 1 : 0), ticks: 1 });
    }
    c.core.u8.set(result);
    return status;
  };

  /** What a call is to wait for; anything but a wait is refused. */
  const wanted = ({ core: { f64 } }: Cell, status: number, now: number) =>
    status === WAIT
      ? { until: f64[FIRST] as number, cause: CODES[f64[FIRST + 1] as number] as CoreCode }
      : refuseToMake(status, now, schema);

  /** After an attempt without an ID: waits as far as `budget` goes, and returns the reading to go on with. */
  const settle = (c: Cell, status: number, now: number, budget: number, first: boolean): number => {
    const { until, cause } = wanted(c, status, now);
    const late = () => refuseWait(cause, until - now, maxWaitMs);
    const reading = until - now > budget ? late() : waitUntil(read, until, maxWaitMs, late);
    c.waits += first ? 1 : 0;
    c.waitedMs += reading - now;
    return reading;
  };

  /** Waits as `next` does until there is an ID, all in all no longer than the bound. */
  const waitFor = (c: Cell, start: number, call: number, first: number): void => {
    let now = start;
    let budget = maxWaitMs;
    for (let status = first, once = true; status !== 0; once = false) {
      const reading = settle(c, status, now, budget, once);
      budget -= Math.max(0, reading - now);
      now = reading;
      status = attempt(c, now, call, false);
    }
  };

  const made: Engine<I, Many> = {
    next(metabyte) {
      const call = asked(how, metabyte);
      const c = cell();
      const now = read();
      const status = attempt(c, now, call, false);
      // Apart, as an engine puts together what is called often only as long as it is short.
      if (status !== 0) {
        waitFor(c, now, call, status);
      }
      return natural.made(c.core);
    },
    nextMany(count, metabyte) {
      const n = whole(count, "n", MOST_AT_ONCE);
      const call = asked(patient, metabyte);
      if (n === 0) {
        return natural.make(0);
      }
      const c = cell();
      const { core, slot, restores } = c;
      const { wasm } = core;
      const perFill = Math.floor(BATCH_BYTES / natural.size);
      let now = read();
      wasm.save(slot);
      // A copy, made only where it may be wanted: `fill` leaves what was saved in its place.
      let start = alone ? undefined : saved(core).slice();
      let many: Many | undefined;
      let done = 0;
      try {
        for (let first = true; done < n; ) {
          let status: number;
          if (alone) {
            status = ruled(c).wasm.fill(slot, now, call, maxAhead, Math.min(n - done, perFill));
            const filled = core.f64[FIRST + 2] as number;
            many = filled > 0 ? natural.move(core, many, done, filled, n) : many;
            done += filled;
          } else {
            status = attempt(c, now, call, false);
            if (status === 0) {
              many ??= natural.make(n);
              (many as Record<number, I>)[done++] = natural.made(core);
            }
          }
          if (status !== 0) {
            start ??= saved(core).slice();
            now = settle(c, status, now, maxWaitMs, first);
            first = false;
          }
        }
      } catch (error) {
        // All or an error: IDs that nobody has seen are taken back, unless a callback has made IDs or restored a state since.
        if (start !== undefined && issued(save(c)) - issued(start) === done && c.restores === restores) {
          put(c, start);
        }
        throw error;
      }
      return many as Many;
    },
    async nextAsync(options = {}) {
      const { signal, metabyte } = asyncOptions(options, plan.metabyte && ["metabyte"]);
      const call = asked(patient, metabyte);
      signal?.throwIfAborted();
      const c = cell();
      return new Promise<I>((resolve, reject) => {
        const entered = elapsed();
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
              if (now >= until) {
                const status = attempt(c, now, call, true);
                if (status === 0) {
                  const id = natural.made(c.core);
                  c.waitedMs += Math.max(0, now - (first ?? now));
                  c.line.served = elapsed();
                  return finish(() => resolve(id));
                }
                ({ until, cause } = wanted(c, status, now));
              }
              const ms = until - now;
              if (ms > maxWaitMs) {
                refuseWait(cause, ms, maxWaitMs);
              }
              c.waits += first === undefined ? 1 : 0;
              first ??= now;
              // The bound runs while nobody in the line is served: then all of its calls end together.
              const waited = elapsed() - Math.max(entered, c.line.served);
              if (waited > maxWaitMs) {
                throw now === first ? stuck(now, maxWaitMs) : refuseWait(cause, waited, maxWaitMs);
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
    at(given, metabyte) {
      const ms = timeOf(given, "time");
      const call = asked(how, metabyte);
      const c = cell();
      const core = ruled(c);
      const { slot } = c;
      const status = drawing(core, ms, (bits) => core.wasm.at(slot, ms, call, bits));
      return status === 0 ? natural.made(core) : refuseToMake(status, ms, schema);
    },
    stats() {
      const c = cell();
      const state = save(c);
      const number = (index: number) => state[index] as number;
      return {
        issued: number(ISSUED),
        waits: c.waits,
        waitedMs: c.waitedMs,
        clockRegressions: number(REGRESSIONS),
        largestRegressionMs: number(LARGEST_REGRESSION) * schema.tickMs,
        overflows: number(OVERFLOWS),
        aheadMs: Math.max(0, number(LAST) - number(HIGHEST)) * schema.tickMs,
      };
    },
  };
  return [made, cell];
}
