/** The oracle: every ID that one identity has issued, the checks on each, and the reasons for which a call may be refused. */
import type { Id } from "../../support/any-format.ts";
import { Finding, show } from "./finding.ts";
import { type Naming, type Parts, type Subject, splitter } from "./formats.ts";
import type { Call } from "./tally.ts";
import type { Readings } from "./world.ts";

/** The last tick and value, for each value of sno's tick-tock bit; other formats use only one. */
interface Last {
  readonly ticks: [number, number];
  readonly values: [number, number];
}

/** What the IDs of a call must be above. */
export interface Mark extends Last {
  /** The last tick that was spent without IDs. */
  readonly spent: number;
}

const nothing = (): Last => ({ ticks: [-1, -1], values: [-1, -1] });
const copy = ({ ticks, values }: Last): Last => ({ ticks: [...ticks], values: [...values] });

/** Whether a tick and value come after the last ones. */
const after = ({ ticks, values }: Last, tickTock: number, tick: number, value: number): boolean =>
  tick > (ticks[tickTock] as number) || (tick === ticks[tickTock] && value > (values[tickTock] as number));

function raise(last: Last, to: Last): void {
  for (const tickTock of [0, 1] as const) {
    if (after(last, tickTock, to.ticks[tickTock], to.values[tickTock])) {
      last.ticks[tickTock] = to.ticks[tickTock];
      last.values[tickTock] = to.values[tickTock];
    }
  }
}

export class Issued {
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
  /** The most ticks that any generator could run ahead of the clock. */
  ahead = 0;
  /** Whether IDs for given times have been issued. */
  given = false;
  /** Whether asynchronous calls have begun inside others: then calls end in another order than they are served. */
  tangled = false;
  readonly lastTick: number;
  readonly #last = nothing();
  /** Of asynchronous calls; and the turn of the one served last. */
  readonly #lastAsynchronous = nothing();
  #turn = -1;
  #tickTock = 0;
  readonly #split: ReturnType<typeof splitter>;

  /** `keys`: the IDs so far; identities whose IDs must differ share it. */
  constructor(
    readonly subject: Subject,
    readonly naming: Naming,
    readonly keys: Set<bigint>,
  ) {
    this.#split = splitter(subject, naming);
    this.lastTick = this.tickOf(subject.format.endOfLife);
  }

  /** The tick of a clock reading or a given time, also outside the format's life. */
  tickOf(ms: number): number {
    const { epoch, tickMs, rounds } = this.subject.spec;
    const floor = Math.floor(ms);
    const half = ms - floor;
    const up = rounds === true && (half > 0.5 || (half === 0.5 && floor % 2 !== 0));
    return Math.floor(((up ? floor + 1 : floor) - epoch) / tickMs);
  }

  /** Unix milliseconds at which a tick starts. */
  timeOf(tick: number): number {
    const { epoch, tickMs } = this.subject.spec;
    return epoch + tick * tickMs;
  }

  /** The mark that IDs of a call that begins now must be above. */
  mark(): Mark {
    return { spent: this.spent, ...copy(this.#last) };
  }

  /** Checks that an ID is of the format and the identity, new, and after `spent`. */
  look(id: Id, metabyte: number, spent: number): Parts {
    const { format, counts, kind } = this.subject;
    const parts = this.#split(id);
    if (parts === undefined || !format.isValid(id)) {
      throw new Finding("outside", `${show(id)} is not of this identity: ${this.#described(id)}`);
    }
    const { tick, value, tickTock } = parts;
    if (tick > this.lastTick) {
      throw new Finding("outside", `${show(id)} lies past the last tick, ${this.lastTick}`);
    }
    const said = format.inspect(id);
    let right = said.ticks === tick && said[counts] === value && said.timestamp === this.timeOf(tick);
    for (const name in this.naming.fixed) {
      right &&= said[name] === this.naming.fixed[name];
    }
    if (kind === "sno") {
      right &&= said.tickTock === tickTock && said.metabyte === metabyte && parts.metabyte === metabyte;
    }
    if (!right) {
      throw new Finding("outside", `${show(id)} is inspected as ${this.#described(id)}`);
    }
    if (tick <= spent) {
      throw new Finding("spent", `${show(id)} is of tick ${tick}, and ${spent} was spent`);
    }
    this.count++;
    this.highest = Math.max(this.highest, tick);
    const before = this.keys.size;
    if (this.keys.add(parts.key).size === before) {
      throw new Finding("duplicate", `${show(id)} was issued before: ${this.#described(id)}`);
    }
    return parts;
  }

  /**
   * Records an ID of a call that began at the mark `running`: it must be above all IDs whose calls had ended by then. Moves the mark
   * for the next ID of the same call.
   */
  enter(id: Id, metabyte: number, running: Mark): Parts {
    const parts = this.look(id, metabyte, running.spent);
    const { tick, value, tickTock } = parts;
    this.lowest = Math.min(this.lowest, tick);
    const [lastTick, lastValue] = [running.ticks[tickTock] as number, running.values[tickTock] as number];
    if (this.subject.unordered ? tick < lastTick : !after(running, tickTock, tick, value)) {
      const said = this.#described(id);
      throw new Finding(
        "inversion",
        `${show(id)} is not above tick ${lastTick}, value ${lastValue}: ${said}`,
      );
    }
    running.ticks[tickTock] = tick;
    running.values[tickTock] = value;
    if (tickTock !== this.#tickTock) {
      this.#tickTock = tickTock;
      this.toggles++;
    }
    return parts;
  }

  /** Ends a call: later calls must be above its IDs. */
  close(running: Mark): void {
    raise(this.#last, running);
  }

  /** Ends an asynchronous call, whose ID must also be above those served before it. */
  closeAsynchronous(id: Id, metabyte: number, start: Mark, turn: number): void {
    const running = { spent: start.spent, ...copy(start) };
    if (!this.tangled) {
      if (turn < this.#turn) {
        throw new Finding("inversion", `${show(id)} was served after a call that came later`);
      }
      this.#turn = turn;
      raise(running, this.#lastAsynchronous);
    }
    this.enter(id, metabyte, running);
    raise(this.#lastAsynchronous, running);
    raise(this.#last, running);
  }

  /** Records that all ticks that start before a time are spent. */
  spend(ms: number): void {
    const early = this.subject.spec.rounds === true ? 0.5 : 0;
    let tick = this.tickOf(ms) + 1;
    while (this.timeOf(tick) - early >= ms) {
      tick--;
    }
    this.spent = Math.max(this.spent, Math.min(tick, this.lastTick));
    this.everSpent = Math.max(this.everSpent, this.spent);
  }

  /** Records the readings of a call. */
  hear({ max }: Readings): void {
    if (max >= this.subject.spec.epoch) {
      this.heard = Math.max(this.heard, Math.min(this.tickOf(max), this.lastTick));
    }
  }

  /**
   * Whether the readings of a call explain its refusal. `time`: the argument of `at`; `fickle`: whether the source of randomness may
   * fail. An asynchronous call may end long after its readings: `heard` are then all readings of the story.
   */
  explains(code: string, call: Call, time: number | undefined, heard: Readings, fickle: boolean): boolean {
    const asynchronous = call === "nextAsync";
    const highest = Math.max(this.heard, this.tickOf(heard.max));
    switch (code) {
      case "BEFORE_EPOCH":
        return (time ?? heard.min) < this.subject.spec.epoch;
      case "END_OF_LIFE":
        // The last tick may have been spent or used up: by an enclosing call, or by a batch that failed after its callback had issued
        // IDs, so that its own are lost.
        return time === undefined
          ? Math.max(highest + this.ahead, this.highest, this.everSpent) >= this.lastTick
          : this.tickOf(time) > this.lastTick;
      case "CLOCK_INVALID":
        // 0 is no time of the system's clock.
        return heard.invalid || (heard.min <= 0 && heard.max >= 0);
      case "CLOCK_BACKWARDS":
        return time === undefined && (asynchronous || (heard.count > 0 && highest > this.tickOf(heard.min)));
      case "SEQUENCE_FULL":
        // Only after an ID; but the IDs of a failed call are not known here.
        return true;
      case "CLOCK_STUCK":
        return time === undefined && (heard.same || asynchronous);
      case "TIME_TAKEN":
        return time !== undefined || this.given;
      case "RANDOM_FAILED":
        return fickle;
      default:
        return false;
    }
  }

  /** How the format itself describes an ID. */
  #described(id: Id): string {
    try {
      const { time, ...rest } = this.subject.format.inspect(id);
      return JSON.stringify({ time: String(time), ...rest });
    } catch (error) {
      return `${error}`;
    }
  }
}
