/**
 * Generators: one call to the module per ID, and all the waiting. What a generator is made of (its format, how an ID
 * is asked for) comes from the format's own file; its state is in a cell, which its identity names.
 */
import { type CoreCode, GraupelError, refuse } from "../errors.js";
import { CODES, DATA, DATA_BYTES, DRAW, FIELDS, FROM_CALLER, FROM_PLATFORM, MOST_DRAWS, WAIT } from "../generated/layouts.js";
import type { Stats, Time } from "../types.js";
import { time as timeOf, whole, wrongType } from "./check.js";
import { type Cell, cellOf, type Identity } from "./cells.js";
import type { Natural } from "./codec.js";
import type { Core } from "./core.js";
import type { Inner } from "./format.js";
import type { Waiter } from "./line.js";
import { asyncOptions, type Policy } from "./options.js";
import { FIRST, generatorError, SECOND_DETAIL } from "./refusals.js";
import { lateError, stuck, systemClock, waitUntil } from "./time.js";

/** The most IDs of one call: beyond it, arrays of BigInts or strings are more than an engine will hold. */
export const MOST_AT_ONCE = 2 ** 24;

/** How IDs of a kind leave the module one by one and in batches. */
export interface Kind<Id extends Natural, Many> {
  /** One ID, or `undefined` with the reason in `core.status`. */
  one(core: Core, slot: number, now: number, how: number, ahead: number, extra: number, random: number): Id | undefined;
  /** The module's number for the form that `fill` leaves in the area, and its size in bytes. */
  readonly form: number;
  readonly size: number;
  /** Room for a batch. */
  make(n: number): Many;
  /** Moves `count` IDs from the area to the batch. */
  move(core: Core, many: Many, at: number, count: number): void;
}

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

/** Indices of a saved state, in `f64`. */
export const STATE = {
  highest: FIELDS >> 3,
  last: (FIELDS >> 3) + 1,
  value: (FIELDS >> 3) + 2,
  left: (FIELDS >> 3) + 3,
  safe: (FIELDS >> 3) + 4,
  drifts: (FIELDS >> 3) + 5,
  firstLive: (FIELDS >> 3) + 6,
  atHighest: (FIELDS >> 3) + 7,
  atValue: (FIELDS >> 3) + 8,
  atLeft: (FIELDS >> 3) + 9,
  atWrapped: (FIELDS >> 3) + 10,
  issued: (FIELDS >> 3) + 11,
  regressions: (FIELDS >> 3) + 12,
  largestRegression: (FIELDS >> 3) + 13,
  overflows: (FIELDS >> 3) + 14,
  end: (FIELDS >> 3) + 15,
} as const;

/** A cell's state in the area, to be read by the indices above. */
export function save({ core, slot }: Cell): Float64Array {
  core.wasm.save(slot);
  return core.f64;
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
  const attempt = (c: Cell, now: number, policyNumber: number, metabyte: number, waiting: boolean): Id | undefined => {
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
      report(c, now, before, waiting);
    }
    return id;
  };

  /**
   * Tells the callbacks what the attempt met. It is over by then: they may call the generator, or throw. The reason
   * for a missing ID survives them. Asynchronous calls report overflows by their line, tick by tick.
   */
  const report = (c: Cell, now: number, before: Float64Array, waiting: boolean): void => {
    const { core } = c;
    const { status } = core;
    const details = core.f64.slice(FIRST, FIRST + 2);
    const after = save(c);
    const rose = (index: number) => after[index] !== before[index - STATE.highest];
    const tick = schema.epoch + (before[STATE.last - STATE.highest] as number) * schema.tickMs;
    const overflow = !waiting && rose(STATE.overflows) && c.reported !== tick;
    if (rose(STATE.regressions)) {
      onClockBackwards?.({ reading: now, highest: schema.epoch + (before[0] as number) * schema.tickMs });
    }
    if (overflow) {
      c.reported = tick;
      onOverflow?.({ time: now, count: c.line.length + (status === WAIT ? 1 : 0), ticks: 1 });
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
    c.waits++;
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
      for (;;) {
        const id = attempt(c, now, how, metabyte, false);
        if (id !== undefined) {
          return id;
        }
        const reading = settle(c, now, budget);
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
      const perFill = Math.floor(DATA_BYTES / kind.size);
      let done = 0;
      try {
        let now = read();
        while (done < n) {
          const { core, slot } = ruled(c);
          if (random === undefined && !watched) {
            const filled = core.wasm.fill(slot, now, patient, maxAhead, Math.min(n - done, perFill), kind.form, metabyte);
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
        }
      } catch (error) {
        // All or an error: IDs that nobody has seen are taken back, unless a callback has made IDs after them.
        const { core, slot } = c;
        if ((save(c)[STATE.issued] as number) - issued === done) {
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
        let first: { reading: number; at: number } | undefined;
        let until = Number.NEGATIVE_INFINITY;
        let cause: CoreCode = "SEQUENCE_FULL";
        const finish = (settled: () => void): number => {
          signal?.removeEventListener("abort", abort);
          settled();
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
                if (first !== undefined) {
                  c.waitedMs += Math.max(0, now - first.reading);
                }
                return finish(() => resolve(id));
              }
              const elapsed = performance.now();
              if (now >= until) {
                const { core } = c;
                if (core.status !== WAIT) {
                  throw generatorError(core.status, now, schema, facts);
                }
                until = core.f64[FIRST] as number;
                cause = CODES[core.f64[SECOND_DETAIL] as number] as CoreCode;
              }
              if (first === undefined) {
                c.waits++;
              }
              first ??= { reading: now, at: elapsed };
              const ms = until - now;
              if (ms > maxWaitMs) {
                throw lateError(cause, ms, maxWaitMs);
              }
              if (elapsed - first.at > maxWaitMs + ms) {
                throw now === first.reading ? stuck(now, maxWaitMs) : lateError(cause, elapsed - first.at, maxWaitMs);
              }
              return ms;
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
      const sno = kind.form === SNO_FORM;
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

/** The form of sno, the only one with a metabyte. */
const SNO_FORM = 2;

/** Signed 64-bit IDs. */
export const bigints: Kind<bigint, BigInt64Array> = {
  one(core, slot, now, how, ahead) {
    const id = core.wasm.next_integer(slot, now, how, ahead);
    return id < 0n ? failed(core, -Number(id)) : id;
  },
  form: 0,
  size: 8,
  make: (n) => new BigInt64Array(n),
  move: ({ i64 }, many, at, count) => many.set(i64.subarray(DATA >> 3, (DATA >> 3) + count), at),
};

/** Unsigned ones: a negative answer may be an ID. */
export const unsignedBigints: Kind<bigint, BigUint64Array> = {
  one(core, slot, now, how, ahead) {
    const id = core.wasm.next_integer(slot, now, how, ahead);
    const status = id < 0n ? core.wasm.status() : 0;
    return status === 0 ? BigInt.asUintN(64, id) : failed(core, status);
  },
  form: 0,
  size: 8,
  make: (n) => new BigUint64Array(n),
  move: ({ u64 }, many, at, count) => many.set(u64.subarray(DATA >> 3, (DATA >> 3) + count), at),
};

/** Safe integers. */
export const numbers: Kind<number, Float64Array> = {
  one(core, slot, now, how, ahead) {
    const id = core.wasm.next_number(slot, now, how, ahead);
    return id < 0 ? failed(core, -id) : id;
  },
  form: 1,
  size: 8,
  make: (n) => new Float64Array(n),
  move: ({ f64 }, many, at, count) => many.set(f64.subarray(DATA >> 3, (DATA >> 3) + count), at),
};

function failed(core: Core, status: number): undefined {
  core.status = status;
  return undefined;
}

/** Texts of `size` characters; `ask` makes one in the area and returns a status. */
export function texts(
  size: number,
  form: number,
  ask: (core: Core, ...args: [number, number, number, number, number, number]) => number,
  text: (u8: Uint8Array, at: number) => string,
): Kind<string, string[]> {
  return {
    one(core, ...args) {
      const status = ask(core, ...args);
      return status === 0 ? text(core.u8, DATA) : failed(core, status);
    },
    form,
    size,
    make: (n) => new Array<string>(n),
    move({ u8 }, many, at, count) {
      for (let i = 0; i < count; i++) {
        many[at + i] = text(u8, DATA + i * size);
      }
    },
  };
}

/** Whether two clocks are the same is a matter of the function; this one is everybody's. */
export const isSystem = (policy: Policy): boolean => policy.clock === systemClock;

/** A source of randomness, or nothing. */
export function randomSource(value: unknown): ((bytes: Uint8Array) => void) | undefined {
  return value === undefined || typeof value === "function"
    ? (value as ((bytes: Uint8Array) => void) | undefined)
    : wrongType("random", value, "a function");
}

/** A metabyte. */
export const metabyteOf = (value: unknown): number => (value === undefined ? 0 : whole(value, "metabyte", 255));

/** No format-specific argument. */
export const nothing = (): number => 0;

/** The refusal of options that a snapshot contradicts. */
export function contradicts(field: string, value: unknown, stored: unknown): never {
  return refuse("CONFLICT", `${field}: the snapshot says ${String(stored)}; leave the option out`, { field, value });
}
