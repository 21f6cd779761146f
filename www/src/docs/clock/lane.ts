/**
 * One policy beside the reader's clock: a generator of the package, asked for one ID at each step.
 *
 * A generator that waits reads its clock until the clock is there, and would block the page. So its clock runs on by 1 ms with
 * each reading, and the call returns at once, with the time that it waited for. The lane shows the ID when the reader's clock
 * is there. If the reader pushes the clock back before that, the call is given up: the lane goes on from a snapshot of before it.
 */
import { type ErrorCode, GraupelError } from "graupel";
import type { AnyFormat, AnyGenerator, Id } from "../../lib/formats.ts";
import { kindOf } from "../../lib/kinds.ts";

export type Policy = "throw" | "wait" | "hold" | "tick-tock";

export type Happening = "issued" | "waited" | "held" | "toggled" | "refused";

export interface Refused {
  readonly code: ErrorCode;
  /** How far the clock is behind the highest reading, in milliseconds. */
  readonly behind: number;
  /** The wait that would be too long, in milliseconds; `undefined` if the policy does not wait. */
  readonly wait: number | undefined;
  /** How many calls in a row. */
  readonly times: number;
}

/** What came of one call, or of several refused ones in a row. */
export interface Entry {
  /** The step in which it was there to see. */
  readonly step: number;
  /** What the clock showed when the call was made. */
  readonly reading: number;
  readonly happened: Happening;
  /** For how long the call waited, in milliseconds. */
  readonly waited: number;
  /** An ID with its time, and the tick-tock bit where the format has one. */
  readonly issued?: { readonly text: string; readonly timestamp: number; readonly tickTock: number };
  /** Why there is none. */
  readonly refused?: Refused;
}

/** A step as it is drawn. */
export interface Mark {
  readonly step: number;
  readonly happened: Happening | "waits";
  /** Of the ID, if there is one. */
  readonly timestamp: number | undefined;
  readonly tickTock: number;
}

export interface Lane {
  readonly policy: Policy;
  /** The oldest first. */
  readonly entries: readonly Entry[];
  /** The same step by step: the oldest first. */
  readonly marks: readonly Mark[];
  /** The reading that a call waits for. */
  readonly waitsFor: number | undefined;
  /** Asks for an ID, unless a call waits. `pushed`: the clock has just been pushed back. */
  ask(step: number, now: number, pushed: boolean): void;
}

type Generator = AnyGenerator & { snapshot(): unknown };

/** The bounds, which are the package's own if none are given. */
export const MAX_WAIT_MS = 100;
export const MAX_AHEAD_MS = 10_000;

/** The number of every machine. */
const MACHINE = 7;

/** How many entries and marks are kept: more than a lane shows. */
const KEPT = 64;

export function laneOf(format: AnyFormat, policy: Policy): Lane {
  const entries: Entry[] = [];
  const marks: Mark[] = [];
  let reading = 0;
  let highest = 0;
  let tickTock = 0;
  let waiting: { readonly until: number; readonly before: unknown; readonly entry: Entry } | undefined;

  const machines = format.layout.fields.filter(({ name }) => kindOf(name) === "machine");
  const fixed = Object.fromEntries(machines.map(({ name }) => [name, MACHINE]));
  const make = (snapshot?: unknown) =>
    format.generator({
      ...fixed,
      clockBackwards: policy,
      ...(snapshot !== undefined && { snapshot }),
      maxWaitMs: MAX_WAIT_MS,
      maxAheadMs: MAX_AHEAD_MS,
      isolated: true,
      clock: () => reading++,
    }) as Generator;
  let generator = make();

  /** What happened, from what can be seen: the reading, the ID and the ID before it. */
  const happening = (now: number, waited: boolean, timestamp: number, turned: boolean): Happening => {
    if (turned) return "toggled";
    if (waited) return "waited";
    return timestamp > now ? "held" : "issued";
  };

  const entryOf = (step: number, now: number, id: Id, waited: number): Entry => {
    const { timestamp, tickTock: bit = 0 } = format.inspect(id) as { timestamp: number; tickTock?: number };
    const happened = happening(now, waited > 0, timestamp, bit !== tickTock);
    return {
      step,
      reading: now,
      happened,
      waited,
      issued: { text: format.format(id), timestamp, tickTock: bit },
    };
  };

  const mark = (step: number, happened: Mark["happened"], timestamp?: number) => {
    marks.push({ step, happened, timestamp, tickTock });
    marks.splice(0, marks.length - KEPT);
  };

  const add = (entry: Entry) => {
    const last = entries.at(-1);
    tickTock = entry.issued?.tickTock ?? tickTock;
    if (entry.refused !== undefined && last?.refused?.code === entry.refused.code) {
      entries.pop();
      entries.push({ ...entry, refused: { ...entry.refused, times: last.refused.times + 1 } });
    } else {
      entries.push(entry);
    }
    entries.splice(0, entries.length - KEPT);
    mark(entry.step, entry.happened, entry.issued?.timestamp);
  };

  const call = (step: number, now: number) => {
    const before = generator.snapshot();
    reading = now;
    highest = Math.max(highest, now);
    try {
      const id = generator.next();
      // Every reading has put the clock on by 1 ms.
      const until = reading - 1;
      const entry = entryOf(step, now, id, until - now);
      if (until > now) {
        waiting = { until, before, entry };
        mark(step, "waits");
      } else {
        add(entry);
      }
    } catch (error) {
      if (!GraupelError.is(error)) throw error;
      const wait = error.field === "maxWaitMs" ? Number(error.value) : undefined;
      const refused = { code: error.code, behind: highest - now, wait, times: 1 };
      add({ step, reading: now, happened: "refused", waited: 0, refused });
    }
  };

  return {
    policy,
    entries,
    marks,
    get waitsFor() {
      return waiting?.until;
    },
    ask(step, now, pushed) {
      if (waiting !== undefined && pushed) {
        generator = make(waiting.before);
        waiting = undefined;
      }
      if (waiting !== undefined) {
        if (now < waiting.until) {
          mark(step, "waits");
          return;
        }
        add({ ...waiting.entry, step });
        waiting = undefined;
      }
      call(step, now);
    },
  };
}
