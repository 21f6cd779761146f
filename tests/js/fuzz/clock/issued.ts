/** Every ID that one identity has issued, and the checks on each. */

import type { Id } from "../../support/any-format.ts";
import { Finding } from "./finding.ts";
import type { IdSet } from "./id-set.ts";
import { type Parts, parts } from "./split.ts";
import type { Naming, Subject } from "./subjects.ts";

/** The last tick and value, for each value of sno's tick-tock bit; other formats use only one. */
export interface Mark {
  /** The last tick that was spent without IDs. */
  readonly spent: number;
  readonly ticks: [number, number];
  readonly values: [number, number];
}

const copy = ({ spent, ticks, values }: Mark): Mark => ({
  spent,
  ticks: [ticks[0], ticks[1]],
  values: [values[0], values[1]],
});

/** Whether `b` comes after `a`. */
const after = (a: Mark, tickTock: number, tick: number, value: number): boolean =>
  tick > (a.ticks[tickTock] as number) ||
  (tick === a.ticks[tickTock] && value > (a.values[tickTock] as number));

export class IssuedIds {
  readonly subject: Subject;
  readonly naming: Naming;
  /** The parts of the last ID checked. */
  readonly parts: Parts = parts();
  /** IDs checked. */
  count = 0;
  /** How often the tick-tock bit changed from one ID to the next. */
  toggles = 0;
  /** The highest tick issued, by the clock or for a given time; and the lowest issued by the clock. */
  highest = -1;
  lowest = Number.POSITIVE_INFINITY;
  /** The tick of the highest clock reading of any call. */
  heard = -1;
  /** The last tick that a generator was told to spend: later IDs must be after it. */
  spent = -1;
  /** The same for all processes so far: a later one may know it from an older snapshot. */
  everSpent = -1;
  /** Whether IDs for given times have been issued, or may have been. */
  given = false;
  /** Whether asynchronous calls have begun inside others: then calls end in another order than they are served. */
  tangled = false;
  readonly #mark: Mark = { spent: -1, ticks: [-1, -1], values: [-1, -1] };
  readonly #asynchronous: Mark = { spent: -1, ticks: [-1, -1], values: [-1, -1] };
  #tickTock = 0;
  /** The turn of the asynchronous call served last. */
  #turn = -1;
  readonly #ids: IdSet;
  readonly #tag: number;
  readonly #lastTick: number;
  readonly #fixed: readonly (readonly [string, number])[];

  constructor(subject: Subject, naming: Naming, ids: IdSet, tag: number) {
    this.subject = subject;
    this.naming = naming;
    this.#ids = ids;
    this.#tag = tag;
    this.#lastTick = this.tickOf(subject.format.endOfLife);
    this.#fixed = Object.entries(naming.fixed);
  }

  /** The tick of a clock reading or a given time, also outside the format's life. */
  tickOf(ms: number): number {
    const { epoch, layout } = this.subject.format;
    if (!this.subject.nearest) {
      return Math.floor((Math.floor(ms) - epoch) / layout.tickMs);
    }
    const floor = Math.floor(ms);
    const half = ms - floor;
    return (half > 0.5 || (half === 0.5 && floor % 2 !== 0) ? floor + 1 : floor) - epoch;
  }

  /** Unix milliseconds at which a tick starts. */
  timeOf(tick: number): number {
    return this.subject.format.epoch + tick * this.subject.format.layout.tickMs;
  }

  get lastTick(): number {
    return this.#lastTick;
  }

  /** The mark that IDs of a call that begins now must be above. */
  mark(): Mark {
    return { ...copy(this.#mark), spent: this.spent };
  }

  /** Checks that an ID is of the format and the identity, new, and after `spent`. Leaves its parts in `parts`. */
  look(id: Id, metabyte: number, spent: number): void {
    const { format, counts, kind } = this.subject;
    const found = this.parts;
    if (!this.naming.split(id, found)) {
      throw new Finding("outside", `${show(id)} is not of this identity: ${describe(format, id)}`);
    }
    if (found.tick > this.#lastTick) {
      throw new Finding("outside", `${show(id)} lies past the last tick, ${this.#lastTick}`);
    }
    if (!format.isValid(id)) {
      throw new Finding("outside", `${show(id)} is not valid`);
    }
    const said = format.inspect(id);
    let right =
      said.ticks === found.tick && said[counts] === found.value && said.timestamp === this.timeOf(found.tick);
    for (const [name, value] of this.#fixed) {
      right &&= said[name] === value;
    }
    if (kind === "sno") {
      right &&= said.tickTock === found.tickTock && said.metabyte === metabyte && found.metabyte === metabyte;
    }
    if (!right) {
      throw new Finding("outside", `${show(id)} is inspected as ${describe(format, id)}`);
    }
    if (found.tick <= spent) {
      throw new Finding("spent", `${show(id)} is of tick ${found.tick}, and ${spent} was spent`);
    }
    this.count++;
    this.highest = Math.max(this.highest, found.tick);
    if (!this.#ids.add(found.high, found.low, this.#tag)) {
      throw new Finding("duplicate", `${show(id)} was given out before: ${describe(format, id)}`);
    }
  }

  /**
   * Records an ID of a call that began at the mark `running`: it must be above all IDs whose calls had ended by then. Moves the mark
   * for the next ID of the same call.
   */
  enter(id: Id, metabyte: number, running: Mark): void {
    this.look(id, metabyte, running.spent);
    const { tick, value, tickTock } = this.parts;
    this.lowest = Math.min(this.lowest, tick);
    const risen = this.subject.unordered
      ? tick >= (running.ticks[tickTock] as number)
      : after(running, tickTock, tick, value);
    if (!risen) {
      const below = `tick ${running.ticks[tickTock]}, value ${running.values[tickTock]}`;
      throw new Finding(
        "inversion",
        `${show(id)} is not above ${below}: ${describe(this.subject.format, id)}`,
      );
    }
    running.ticks[tickTock] = tick;
    running.values[tickTock] = value;
    if (tickTock !== this.#tickTock) {
      this.#tickTock = tickTock;
      this.toggles++;
    }
  }

  /** Ends a call: later calls must be above its IDs. */
  close(running: Mark): void {
    raise(this.#mark, running);
  }

  /** Ends an asynchronous call, whose ID must also be above those served before it. */
  closeAsynchronous(id: Id, metabyte: number, start: Mark, turn: number): void {
    const running = copy(start);
    if (!this.tangled) {
      if (turn < this.#turn) {
        throw new Finding("inversion", `${show(id)} was served after a call that came later`);
      }
      this.#turn = turn;
      raise(running, this.#asynchronous);
    }
    this.enter(id, metabyte, running);
    raise(this.#asynchronous, running);
    raise(this.#mark, running);
  }

  /** Records that all ticks that start before a time are spent. */
  spend(ms: number): void {
    const start = (tick: number) => this.timeOf(tick) - (this.subject.nearest ? 0.5 : 0);
    let tick = this.tickOf(ms) + 1;
    while (start(tick) >= ms) {
      tick--;
    }
    this.spent = Math.max(this.spent, Math.min(tick, this.#lastTick));
    this.everSpent = Math.max(this.everSpent, this.spent);
  }

  /** Records a reading of a call. */
  hear(ms: number): void {
    if (ms >= this.subject.format.epoch) {
      this.heard = Math.max(this.heard, Math.min(this.tickOf(ms), this.#lastTick));
    }
  }
}

function raise(mark: Mark, to: Mark): void {
  for (const tickTock of [0, 1] as const) {
    if (after(mark, tickTock, to.ticks[tickTock], to.values[tickTock])) {
      mark.ticks[tickTock] = to.ticks[tickTock];
      mark.values[tickTock] = to.values[tickTock];
    }
  }
}

/** An ID as source code. */
export const show = (id: unknown): string =>
  typeof id === "bigint" ? `${id}n` : typeof id === "string" ? JSON.stringify(id) : String(id);

/** How the format itself describes an ID. */
function describe(format: Subject["format"], id: Id): string {
  try {
    const { time, ...rest } = format.inspect(id);
    return JSON.stringify({ time: String(time), ...rest });
  } catch (error) {
    return `${error}`;
  }
}
