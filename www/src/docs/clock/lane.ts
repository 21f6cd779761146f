/**
 * One policy beside the reader's clock: a generator of the package that is asked for one ID in each
 * step.
 *
 * A generator that waits would read its clock until the awaited time, and would block the page. So
 * its clock advances by 1 ms with each reading. The call then returns at once, together with the
 * time that it waited for, and the lane shows the ID when the reader's clock reaches that time. If
 * the reader pushes the clock back before that, the call is cancelled, and the lane continues from
 * a snapshot taken before the call.
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
  /** The number of such calls in a row. */
  readonly times: number;
}

/** The result of a call, or of several failed calls in a row. */
export interface Entry {
  /** The step in which the drawing shows the entry. */
  readonly step: number;
  /** The clock's reading at the time of the call. */
  readonly reading: number;
  readonly happened: Happening;
  /** The length of the wait, in milliseconds. */
  readonly waited: number;
  /** The ID with its time, and the tick-tock bit if the format has one. */
  readonly issued?: { readonly text: string; readonly timestamp: number; readonly tickTock: number };
  /** The reason why there is no ID. */
  readonly refused?: Refused;
}

/** A step of the drawing. */
export interface Mark {
  readonly step: number;
  readonly happened: Happening | "waits";
  /** The time of the ID, if there is one. */
  readonly timestamp: number | undefined;
  readonly tickTock: number;
}

type Generator = AnyGenerator & { snapshot(): unknown };

/** The bounds: the package's defaults. */
export const MAX_WAIT_MS = 100;
export const MAX_AHEAD_MS = 10_000;

/** The worker ID of every lane. */
const MACHINE = 7;

/** The number of entries and marks that are kept: more than a lane shows. */
const KEPT = 64;

/** Derives the kind of event from the reading, the ID and the previous ID. */
function happening(now: number, waited: boolean, timestamp: number, turned: boolean): Happening {
  if (turned) return "toggled";
  if (waited) return "waited";
  return timestamp > now ? "held" : "issued";
}

export class Lane {
  /** The entries, oldest first. */
  readonly entries: Entry[] = [];
  /** The marks, step by step, oldest first. */
  readonly marks: Mark[] = [];
  #generator: Generator;
  #reading = 0;
  #highest = 0;
  #tickTock = 0;
  #waiting: { readonly until: number; readonly before: unknown; readonly entry: Entry } | undefined;

  constructor(
    readonly format: AnyFormat,
    readonly policy: Policy,
  ) {
    this.#generator = this.#make();
  }

  /** The reading that a pending call waits for. */
  get waitsFor(): number | undefined {
    return this.#waiting?.until;
  }

  /** Requests an ID, unless a call is pending. `pushed`: the clock was just pushed back. */
  ask(step: number, now: number, pushed: boolean): void {
    if (this.#waiting !== undefined && pushed) {
      this.#generator = this.#make(this.#waiting.before);
      this.#waiting = undefined;
    }
    if (this.#waiting !== undefined) {
      if (now < this.#waiting.until) {
        this.#mark(step, "waits");
        return;
      }
      this.#add({ ...this.#waiting.entry, step });
      this.#waiting = undefined;
    }
    this.#call(step, now);
  }

  #make(snapshot?: unknown): Generator {
    const machines = this.format.layout.fields.filter((field) => kindOf(field) === "machine");
    return this.format.generator({
      ...Object.fromEntries(machines.map(({ name }) => [name, MACHINE])),
      clockBackwards: this.policy,
      ...(snapshot !== undefined && { snapshot }),
      maxWaitMs: MAX_WAIT_MS,
      maxAheadMs: MAX_AHEAD_MS,
      isolated: true,
      clock: () => this.#reading++,
    }) as Generator;
  }

  #call(step: number, now: number): void {
    const before = this.#generator.snapshot();
    this.#reading = now;
    this.#highest = Math.max(this.#highest, now);
    try {
      const id = this.#generator.next();
      // Each reading has advanced the clock by 1 ms.
      const until = this.#reading - 1;
      const entry = this.#entryOf(step, now, id, until - now);
      if (until > now) {
        this.#waiting = { until, before, entry };
        this.#mark(step, "waits");
      } else {
        this.#add(entry);
      }
    } catch (error) {
      if (!GraupelError.is(error)) throw error;
      const wait = error.field === "maxWaitMs" ? Number(error.value) : undefined;
      const refused = { code: error.code, behind: this.#highest - now, wait, times: 1 };
      this.#add({ step, reading: now, happened: "refused", waited: 0, refused });
    }
  }

  #entryOf(step: number, now: number, id: Id, waited: number): Entry {
    const { timestamp, tickTock = 0 } = this.format.inspect(id) as { timestamp: number; tickTock?: number };
    return {
      step,
      reading: now,
      happened: happening(now, waited > 0, timestamp, tickTock !== this.#tickTock),
      waited,
      issued: { text: this.format.format(id), timestamp, tickTock },
    };
  }

  #add(entry: Entry): void {
    const last = this.entries.at(-1);
    this.#tickTock = entry.issued?.tickTock ?? this.#tickTock;
    if (entry.refused !== undefined && last?.refused?.code === entry.refused.code) {
      this.entries.pop();
      this.entries.push({ ...entry, refused: { ...entry.refused, times: last.refused.times + 1 } });
    } else {
      this.entries.push(entry);
    }
    this.entries.splice(0, this.entries.length - KEPT);
    this.#mark(entry.step, entry.happened, entry.issued?.timestamp);
  }

  #mark(step: number, happened: Mark["happened"], timestamp?: number): void {
    this.marks.push({ step, happened, timestamp, tickTock: this.#tickTock });
    this.marks.splice(0, this.marks.length - KEPT);
  }
}
