/**
 * Generators: one call to the module per ID, and all the waiting. What a generator is made of (its format, how an ID
 * is asked for) comes from the format's own file; its state is in a cell, which its identity names.
 */

import { time as timeOf, whole } from "../checks.js";
import type { Id, Natural } from "../core/id-types.js";
import type { Core } from "../core/load.js";
import { FIRST, refuseToMake } from "../core/refusals.js";
import type { Schema } from "../core/schema.js";
import { type CoreCode, refuse } from "../errors.js";
import {
  BATCH_BYTES,
  CALL_SHIFT,
  CODES,
  DATA,
  DRAW,
  FROM_CALLER,
  FROM_PLATFORM,
  BACKFILL,
  HIGHEST,
  ISSUED,
  LARGEST_REGRESSION,
  LAST,
  MOST_DRAWS,
  OVERFLOWS,
  REGRESSIONS,
  STATUS_RANDOM_FAILED,
  WAIT,
} from "../generated/layouts.js";
import type { Stats, Time } from "../types.js";
import { ask } from "./async.js";
import { refuseWait, waitUntil } from "./clock.js";
import { type Cell, cellOf, claim, type Entry, type Identity, recall } from "./identity.js";
import { asyncOptions, type Policy } from "./options.js";
import { descends, put, type State, save, saved } from "./snapshot.js";

/** The most IDs of one call: beyond it, arrays of BigInts or strings are more than an engine will hold. */
export const MOST_AT_ONCE = 2 ** 24;

/** The largest metabyte. */
const MAX_METABYTE = 255;

const issued = (state: State) => state[ISSUED] as number;

/** What a format's file hands over. */
export interface Plan<I extends Id, Many> {
  readonly schema: Schema;
  readonly natural: Natural<I, Many>;
  readonly policy: Policy;
  /** Evaluated at the first operation, unless it is `known` before: sno's automatic partition is drawn. */
  identity(): Identity;
  known(): boolean;
  /** What the slot's rule must be for this generator. */
  readonly rule: number;
  /** An injected source of randomness. */
  readonly random: ((bytes: Uint8Array) => void) | undefined;
  /** Whether calls may have a metabyte: sno's. The other formats do not look at what stands in its place. */
  readonly metabyte: boolean;
  /** The state of a snapshot to go on from. */
  readonly snapshot: State | undefined;
}

/** A generator, with sno's argument still unchecked. */
export interface Engine<I extends Id, Many> {
  next(metabyte?: unknown, ...beyond: unknown[]): I;
  nextMany(n: number, metabyte?: unknown, ...beyond: unknown[]): Many;
  nextAsync(options?: unknown): Promise<I>;
  at(time: Time, metabyte?: unknown, ...beyond: unknown[]): I;
  stats(): Stats;
}

/** Refuses arguments beyond the optional one: `map` passes an index and an array, which are no metabyte and no radix. */
export function refuseBeyond(count: number): void {
  if (count > 0) {
    refuse("TYPE", `${count} arguments too many; in map, write (x) => f(x)`, "arguments", count);
  }
}

/** The generator, and its cell, which is opened when it is first asked for. */
export function engine<I extends Id, Many>(plan: Plan<I, Many>): [Engine<I, Many>, () => Cell] {
  const { schema, natural, policy, rule, random } = plan;
  const { read, real, how, patient, maxWaitMs, maxAhead, onClockBackwards, onOverflow } = policy;
  const source = random === undefined ? FROM_PLATFORM : FROM_CALLER;
  const watched = onClockBackwards !== undefined || onOverflow !== undefined;
  const alone = random === undefined && !watched;
  const isolated = policy.isolated || random !== undefined;
  let entry: Entry | undefined;
  let own: Cell | undefined;

  /** The place in the registry. What is known of earlier generators counts from here on, for all of the identity. */
  const enlist = (): Entry => {
    if (entry === undefined) {
      entry = claim(plan.identity(), isolated);
      recall(entry, plan.identity(), isolated, plan.snapshot, policy.spent);
    }
    return entry;
  };

  const open = (): Cell => {
    own = cellOf(enlist(), plan.identity(), isolated);
    return own;
  };

  if ((plan.snapshot !== undefined || policy.spent >= 0) && plan.known()) {
    enlist();
  }

  const cell = (): Cell => own ?? open();

  /** The cell's core, with this generator's rule in the slot: another one of the identity may have set its own. */
  const ruled = (c: Cell): Core => {
    if (c.rule !== rule) {
      c.core.wasm.$rule(c.slot, rule);
      c.rule = rule;
    }
    return c.core;
  };

  /** How an ID is asked for, with a metabyte. */
  const withMetabyte = (how: number, metabyte: unknown, beyond: number): number => {
    if (!plan.metabyte) {
      return how;
    }
    refuseBeyond(beyond);
    if (metabyte === undefined) {
      return how;
    }
    // A look first, as `whole` is called with so many fields that engines do not inline it.
    const fits = typeof metabyte === "number" && metabyte > 0 && (metabyte & MAX_METABYTE) === metabyte;
    return how | ((fits ? metabyte : whole(metabyte, "metabyte", MAX_METABYTE)) << CALL_SHIFT);
  };

  /**
   * Asks, and as long as the answer is to draw, again with random bits from the injected source, big-endian. A source that
   * keeps answering zero, or takes the bytes away, is none.
   */
  const drawing = (c: Cell, now: number, ask: (bits: number) => number): number => {
    let status = ask(source);
    for (let draws = 0; status === DRAW; draws++) {
      const length = c.core.f64[FIRST] as number;
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
    return alone ? wasm.$next(c.slot, now, call, maxAhead, source) : observed(c, now, call, late);
  };

  /** The same where the caller's own functions take part: a source of randomness, or callbacks. */
  const observed = (c: Cell, now: number, call: number, late: boolean): number => {
    const { core, slot } = c;
    const before = watched ? save(c).slice() : undefined;
    const status = drawing(c, now, (bits) => core.wasm.$next(slot, now, call, maxAhead, bits));
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
  const wanted = (c: Cell, status: number, now: number) => {
    const { f64 } = c.core;
    return status === WAIT
      ? { until: f64[FIRST] as number, cause: CODES[f64[FIRST + 1] as number] as CoreCode }
      : refuseToMake(status, now, schema);
  };

  /** After an attempt without an ID: waits as far as `budget` goes, and returns the reading to go on with. */
  const settle = (c: Cell, status: number, now: number, budget: number, first: boolean): number => {
    const { until, cause } = wanted(c, status, now);
    const late = () => refuseWait(cause, until - now, maxWaitMs);
    const reading = until - now > budget ? late() : waitUntil(read, until, maxWaitMs, late, real);
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

  const asker = { natural, policy, attempt, wanted };

  const made: Engine<I, Many> = {
    next(metabyte, ...beyond) {
      const call = withMetabyte(how, metabyte, beyond.length);
      const c = cell();
      const now = read();
      const status = attempt(c, now, call, false);
      // Apart, as an engine puts together what is called often only as long as it is short.
      if (status !== 0) {
        waitFor(c, now, call, status);
      }
      return natural.made(c.core);
    },
    nextMany(count, metabyte, ...beyond) {
      const n = whole(count, "n", MOST_AT_ONCE);
      const call = withMetabyte(patient, metabyte, beyond.length);
      if (n === 0) {
        return natural.make(0);
      }
      const c = cell();
      const { core, slot, restores } = c;
      const { wasm } = core;
      const perFill = Math.floor(BATCH_BYTES / natural.size);
      let now = read();
      wasm.$save(slot);
      // A copy, made only where it may be wanted: `fill` leaves what was saved in its place.
      let start = alone ? undefined : saved(core).slice();
      let many: Many | undefined;
      let done = 0;
      try {
        for (let first = true; done < n; ) {
          let status: number;
          if (alone) {
            status = ruled(c).wasm.$fill(slot, now, call, maxAhead, Math.min(n - done, perFill));
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
    // What is thrown here rejects the promise; an async function would make two more for each call.
    nextAsync: (options) =>
      new Promise<I>((resolve, reject) => {
        const { signal, metabyte } = asyncOptions(options, plan.metabyte);
        const call = withMetabyte(patient, metabyte, 0);
        signal?.throwIfAborted();
        ask(cell(), call, signal, asker, resolve, reject);
      }),
    at(given, metabyte, ...beyond) {
      const ms = timeOf(given, "time");
      const call = withMetabyte(how, metabyte, beyond.length);
      const c = cell();
      const core = ruled(c);
      const { slot } = c;
      const status = drawing(c, ms, (bits) => core.wasm.$next(slot, ms, call | BACKFILL, 0, bits));
      return status === 0
        ? natural.made(core)
        : refuseToMake(status, ms, schema, descends(save(c), ms, schema));
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
        // Before the first reading there is nothing to be ahead of.
        aheadMs: number(HIGHEST) > 0 ? (number(LAST) - number(HIGHEST)) * schema.tickMs : 0,
      };
    },
  };
  return [made, cell];
}
