/**
 * `next` and `at` ask the state once per attempt, at one clock reading; `next` waits if the
 * policies allow it. `nextMany` and `nextTyped` ask once for each part of a batch, and return all
 * IDs or throw. A call of `nextAsync` waits for its turn in the queue of its identity.
 */
import { abortReason, type Given, numberIn, pickOptions, signalOf, time as timeOf } from "../checks.js";
import type { Id, IdType } from "../core/ids.js";
import type { Area } from "../core/load.js";
import type { Schema } from "../core/schema.js";
import { failToIssue } from "../core/status.js";
import * as abi from "../generated/constants.js";
import { opened } from "../identity/holder.js";
import type { Numbers, State } from "../identity/shared.js";
import type { Settings } from "./settings.js";
import { failStuck, failWait, LONGEST_STEP_MS, waitAndRead, waitTarget } from "./wait.js";
import { queueOf } from "./wait-queue.js";

/**
 * Asks the core of the state. Returns a status. If it is 0, the ID is in the area until the next
 * call of the core.
 */
function ask(settings: Settings, state: State, now: number, asked: abi.Asked, bits: abi.Random): abi.Status {
  const { wasm } = state.obey(settings);
  const status = wasm.next(state.slot, now, asked, settings.policy.maxAhead, bits) as abi.Status;
  return status === abi.REFILL
    ? (wasm.refill() as abi.Status) || ask(settings, state, now, asked, bits)
    : status;
}

/**
 * Makes one attempt. `queued`: whether the call is from the queue, which reports overflows itself,
 * tick by tick.
 */
function attempt(settings: Settings, state: State, now: number, asked: abi.Asked, queued: boolean) {
  return settings.hasUserFunctions
    ? attemptWithCallbacks(settings, state, now, asked, queued)
    : ask(settings, state, now, asked, abi.FROM_PLATFORM);
}

/**
 * Asks until no more random bits are needed. Returns a status. The random source runs between two
 * questions, when the state is consistent, so it may call the generator.
 */
function askAndDraw(settings: Settings, state: State, now: number, asked: abi.Asked): abi.Status {
  const { random } = settings;
  const once = (bits: abi.Random) => ask(settings, state, now, asked, bits);
  return random === undefined ? once(abi.FROM_PLATFORM) : random(state, now, once);
}

/**
 * Makes an attempt with functions of the user. The callbacks run afterwards, when the state is
 * settled, so they may call the generator or throw. After them, the ID is written back to the area.
 */
function attemptWithCallbacks(settings: Settings, state: State, now: number, asked: number, queued: boolean) {
  const { onClockBackwards, onOverflow } = settings.policy;
  const { [abi.HIGHEST]: highest, [abi.REGRESSIONS]: regressions, [abi.OVERFLOWS]: overflows } = state.save();
  const status = askAndDraw(settings, state, now, asked);
  const after = state.save();
  const behind = after[abi.REGRESSIONS] !== regressions;
  const full = after[abi.OVERFLOWS] !== overflows && !queued;
  if (behind || full) {
    const { u8 } = state.core as Area;
    const result = u8.slice(0, abi.DATA + settings.idType.size);
    if (behind) {
      const { epoch, tickMs } = settings.schema;
      onClockBackwards?.({ reading: now, highest: epoch + (highest as number) * tickMs });
    }
    if (full) {
      const count = (state.queue?.length() ?? 0) + Number(status === abi.WAIT);
      onOverflow?.({ time: now, count, ticks: 1 });
    }
    u8.set(result);
  }
  return status;
}

/**
 * Generates one ID. `perCallBits`: the bits of this call, such as a metabyte, at the top of `Asked`.
 */
export function next<I extends Id>(settings: Settings<I>, perCallBits: number): I {
  const { policy, idType } = settings;
  const call = policy.callFlags | perCallBits;
  const state = opened(settings);
  const now = policy.read();
  const status = attempt(settings, state, now, call, false);
  if (status !== 0) {
    waitForId(settings, state, now, call, status);
  }
  return idType.take(state.core as Area, abi.DATA);
}

/**
 * Waits for an ID, for at most `maxWaitMs` in total. A separate function, so that `next` stays
 * small enough to inline.
 */
function waitForId(settings: Settings, state: State, start: number, call: number, first: number): void {
  let now = start;
  let budget = settings.policy.maxWaitMs;
  for (let status = first, waits = 1; status !== 0; waits = 0) {
    const reading = waitAndRead(settings, state, status, now, budget);
    state.waits += waits;
    budget -= reading - now;
    now = reading;
    status = attempt(settings, state, now, call, false);
  }
}

/** The advice for a time that `at` rejects, unless the clock's own IDs are the reason. */
function adviceOf(status: abi.Status, numbers: Numbers, ms: number, schema: Schema): string | undefined {
  const { epoch, tickMs, fields, sequence } = schema;
  if (status === abi.STATUS_SEQUENCE_FULL) {
    return `${fields[sequence]?.name} is used up; pass a time ${tickMs} ms later, or use compose`;
  }
  const tick = (ms - epoch) / tickMs;
  const live = numbers[abi.FIRST_LIVE] as number;
  return tick < (numbers[abi.BACKFILL_HIGHEST] as number) && (live < 0 || tick < live)
    ? "times must ascend now; sort them, or use compose"
    : undefined;
}

/** Generates an ID for a time. Never waits and reads no clock. */
export function at<I extends Id>(settings: Settings<I>, time: unknown, perCallBits: number): I {
  const ms = timeOf(time, "time");
  const call = settings.policy.callFlags | perCallBits | abi.BACKFILL;
  const state = opened(settings);
  const status = askAndDraw(settings, state, ms, call);
  return status === 0
    ? settings.idType.take(state.core as Area, abi.DATA)
    : failToIssue(status, ms, settings.schema, adviceOf(status, state.save(), ms, settings.schema));
}

/** A plain array for `n` IDs. */
export const plain = <I extends Id>(n: number): I[] => new Array(n);

/**
 * Copies `count` IDs at an offset into `many` from `start` on. `many` is a plain array, or a typed
 * array with the same bytes as the area.
 */
function move(area: Area, idType: IdType<Id>, offset: number, many: unknown, start: number, count: number) {
  const { take, size } = idType;
  if (Array.isArray(many)) {
    // Read each ID separately: `Array.from` takes five times as long, and slices of one long text
    // would keep all of it in memory.
    for (let i = 0; i < count; i++) {
      many[start + i] = take(area, offset + i * size);
    }
  } else {
    const batch = area.u8.subarray(offset, offset + count * size);
    new Uint8Array((many as Float64Array).buffer).set(batch, start * size);
  }
}

/**
 * Generates `count` IDs in an array of `makeBatch`. Always waits if a sequence is full; each wait
 * takes at most `maxWaitMs`.
 */
export function nextMany<I extends Id, Typed, Many extends I[] | Typed>(
  settings: Settings<I, Typed>,
  count: number,
  perCallBits: number,
  makeBatch: (n: number) => Many,
): Many {
  // The limit for one call: engines cannot have larger arrays of strings.
  const n = numberIn(count, "n", 2 ** 24);
  const { policy, idType, hasUserFunctions } = settings;
  const call = policy.waitingCallFlags | perCallBits;
  if (n === 0) {
    return makeBatch(0);
  }
  const state = opened(settings);
  let now = policy.read();
  const before = state.save();
  // Copy only if something can overwrite it: functions of the user, or a mock of the clock or of
  // the random source.
  let start = hasUserFunctions ? before.slice() : undefined;
  const { restores } = state;
  const core = state.core as Area;
  let many: Many | undefined;
  let done = 0;
  try {
    for (let waits = 1; done < n; ) {
      let status = hasUserFunctions
        ? attempt(settings, state, now, call, false)
        : (state.obey(settings).wasm.fill(state.slot, now, call, policy.maxAhead, n - done) as abi.Status);
      const filled = hasUserFunctions ? +(status === 0) : (core.f64[abi.FILLED >> 3] as number);
      if (filled > 0) {
        many ??= makeBatch(n);
        move(core, idType, hasUserFunctions ? abi.DATA : abi.BATCH, many, done, filled);
        done += filled;
      }
      start ??= status === 0 ? undefined : before.slice();
      if (status === abi.REFILL) {
        status = core.wasm.refill() as abi.Status;
      }
      if (status !== 0) {
        now = waitAndRead(settings, state, status, now, policy.maxWaitMs);
        state.waits += waits;
        waits = 0;
      }
    }
  } catch (error) {
    // Take back the unreturned IDs, unless a callback has issued IDs or restored a state in the
    // meantime.
    const after = state.save();
    const issued = (after[abi.ISSUED] as number) - (start?.[abi.ISSUED] as number);
    if (start && issued === done && state.restores === restores) {
      // Keep the counts of clock steps and full ticks, which did happen.
      start.set(after.subarray(abi.REGRESSIONS, abi.FROM), abi.REGRESSIONS);
      state.restore(start);
    }
    throw error;
  }
  return many as Many;
}

/**
 * Returns a promise of an ID, which settles after the earlier calls. Every error rejects it. Not an
 * async function, which would create two more promises for each call. `names`: the options besides
 * the signal; `perCallBitsOf`: their `perCallBits`.
 */
export const nextAsync = <I extends Id>(
  settings: Settings<I>,
  options: unknown = {},
  names: readonly string[] = [],
  perCallBitsOf = (_given: Given) => 0,
): Promise<I> =>
  new Promise((resolve, reject) => {
    const { policy } = settings;
    const given: Given = pickOptions(options, "options", ["signal", ...names]);
    const signal = signalOf(given.signal);
    const asked = policy.waitingCallFlags | perCallBitsOf(given);
    if (signal?.aborted) {
      throw abortReason(signal);
    }
    const state = opened(settings);
    const tryAt = attempts(settings, state, asked, resolve);
    const poll = (waited: number) => {
      // The queue rejects calls of an aborted signal in portions. Until then they must not take an
      // ID. A full stack must not hide the abort, so this is outside of `try`.
      if (!signal?.aborted) {
        try {
          const ms = tryAt(policy.read(), waited);
          // A callback may also abort it.
          if (!signal?.aborted) {
            return ms;
          }
        } catch (error) {
          reject(error);
          return -1;
        }
      }
      reject(abortReason(signal));
      return -1;
    };
    state.queue ??= queueOf();
    state.queue.add({ signal, listener: policy.onOverflow, poll, entered: 0 }, policy.read);
  });

/**
 * Returns a function that makes an attempt of a queued call at a reading. It returns 0 if the call
 * is served, else the milliseconds until the next attempt. `waited`: as in `Waiter`. The limit
 * restarts with each served call: while the queue moves, no call times out.
 */
function attempts<I extends Id>(settings: Settings<I>, state: State, asked: number, done: (id: I) => void) {
  const { maxWaitMs } = settings.policy;
  let began: number | undefined;
  let first: number | undefined;
  let target = { until: -Infinity } as ReturnType<typeof waitTarget>;
  return (now: number, waited: number): number => {
    // The clock may have moved while earlier calls were served.
    first ??= now;
    // Like `waitAndRead`, make no attempt at readings below the target.
    if (now >= target.until) {
      const status = attempt(settings, state, now, asked, true);
      if (status === 0) {
        const id = settings.idType.take(state.core as Area, abi.DATA);
        state.waitedMs += now - (began ?? now);
        done(id);
        return 0;
      }
      target = waitTarget(settings, state, status, now);
    }
    const ms = target.until - now;
    if (ms > maxWaitMs) {
      failWait(target.cause, now, ms, maxWaitMs);
    }
    if (began === undefined) {
      began = now;
      state.waits++;
    }
    const stands = now === first;
    // Twice, because a monotonic clock in steps may include a step from before the wait.
    if (waited > Math.max(maxWaitMs, stands ? 2 * LONGEST_STEP_MS : 0)) {
      stands ? failStuck(now) : failWait(target.cause, now, waited, maxWaitMs);
    }
    return ms;
  };
}
