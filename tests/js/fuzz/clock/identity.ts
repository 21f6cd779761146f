/** One identity: the oracle of what its generators may issue, and of why they may refuse to. */
import { inspect, isDeepStrictEqual } from "node:util";
import type { Id } from "../../support/any-format.ts";
import { idFaults, inspected, integerOf } from "../../support/expected.ts";
import { Finding } from "./finding.ts";
import type { Naming, Subject } from "./formats.ts";
import type { Readings } from "./world.ts";

/** The variable parts of an ID; `value`: of the field that counts or is random. */
type Parts = Readonly<Record<"tick" | "value" | "tickTock", number>>;

type Place = readonly [tick: number, value: number];

/** What the IDs of a call must be above. */
export interface Mark {
  /** The last tick that was spent without IDs. */
  readonly spent: number;
  /** The last ID, for each value of sno's tick-tock bit; other formats use only one. */
  readonly last: [Place, Place];
}

/** Whether `a` comes after `b`. */
const after = ([tick, value]: Place, b: Place): boolean => tick > b[0] || (tick === b[0] && value > b[1]);

function raise(last: Mark["last"], to: Mark["last"]): void {
  for (const bit of [0, 1] as const) {
    last[bit] = after(to[bit], last[bit]) ? to[bit] : last[bit];
  }
}

const NONE: Place = [-1, -1];

export class Identity {
  /** IDs checked, and how often the tick-tock bit changed from one to the next. */
  count = 0;
  toggles = 0;
  /** The highest tick issued, by the clock or for a given time; and the lowest issued by the clock. */
  highest = -1;
  lowest = Number.POSITIVE_INFINITY;
  /** The tick of the highest clock reading of any call. */
  heard = -1;
  /** The last tick that a generator was told to spend, in this process and in any: a later one may know it from an older snapshot. */
  spent = -1;
  everSpent = -1;
  /** The most ticks that any generator could run ahead of the clock. */
  ahead = 0;
  /** Whether IDs for given times have been issued. */
  given = false;
  /** Whether asynchronous calls have begun inside others: then calls end in another order than they are served. */
  tangled = false;
  /** The clock of its last ID. */
  dial = 0;
  /** Snapshots of any moment, as stored on a disk. */
  readonly saved: string[] = [];
  readonly lastTick: number;
  readonly #last: Mark["last"] = [NONE, NONE];
  /** Of asynchronous calls; and the turn of the one served last. */
  readonly #lastAsynchronous: Mark["last"] = [NONE, NONE];
  #turn = -1;
  #tickTock = 0;

  /** `keys`: the IDs so far; identities whose IDs must differ share it. An isolated one has one generator and its own IDs. */
  constructor(
    readonly subject: Subject,
    readonly naming: Naming,
    readonly keys: Set<bigint>,
    readonly isolated: boolean,
  ) {
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
    return this.subject.spec.epoch + tick * this.subject.spec.tickMs;
  }

  /** The mark that IDs of a call that begins now must be above. */
  mark(): Mark {
    return { spent: this.spent, last: [...this.#last] };
  }

  /** Checks that an ID is of the format and the identity, new, and after `spent`. */
  look(id: Id, metabyte: number, spent: number): Parts {
    const { format, reference, counts, kind } = this.subject;
    if (typeof id !== reference.spec.idType || idFaults(reference, id).length > 0 || !format.isValid(id)) {
      throw this.#wrong("outside", id, "is no ID");
    }
    const integer = integerOf(reference, id);
    const fields = inspected(reference, integer) as Record<string, number>;
    const { ticks: tick = 0, [counts]: value = 0, tickTock = 0 } = fields;
    const { fixed, first, last } = this.naming;
    const own = {
      ...fields,
      ...("unused" in fields && { unused: 0 }),
      ...fixed,
      ...(kind === "sno" && { metabyte }),
    };
    if (value < first || value > last || !isDeepStrictEqual(format.inspect(id), own)) {
      throw this.#wrong("outside", id, `is not ${JSON.stringify(own)} with a value of ${first} to ${last}`);
    }
    if (tick <= spent) {
      throw this.#wrong("spent", id, `is of tick ${tick}, and ${spent} was spent`);
    }
    this.count++;
    this.highest = Math.max(this.highest, tick);
    const before = this.keys.size;
    // Two IDs that differ only in the metabyte, which is the user's, count as the same.
    if (this.keys.add(kind === "sno" ? integer & ~(255n << 32n) : integer).size === before) {
      throw this.#wrong("duplicate", id, "was issued before");
    }
    return { tick, value, tickTock };
  }

  /**
   * Records an ID of a call that began at the mark `running`: it must be above all IDs whose calls had ended by then. Moves the mark
   * for the next ID of the same call.
   */
  enter(id: Id, metabyte: number, running: Mark): Parts {
    const parts = this.look(id, metabyte, running.spent);
    const { tick, value, tickTock } = parts;
    const last = running.last[tickTock] as Place;
    this.lowest = Math.min(this.lowest, tick);
    if (this.subject.unordered ? tick < last[0] : !after([tick, value], last)) {
      throw this.#wrong("inversion", id, `is not above tick ${last[0]}, value ${last[1]}`);
    }
    running.last[tickTock] = [tick, value];
    this.toggles += tickTock === this.#tickTock ? 0 : 1;
    this.#tickTock = tickTock;
    return parts;
  }

  /** Ends a call: later calls must be above its IDs. */
  close(running: Mark): void {
    raise(this.#last, running.last);
  }

  /** Ends an asynchronous call, whose ID must also be above those served before it. */
  closeAsynchronous(id: Id, metabyte: number, start: Mark, turn: number): void {
    const running: Mark = { spent: start.spent, last: [...start.last] };
    if (!this.tangled) {
      if (turn < this.#turn) {
        throw this.#wrong("inversion", id, "was served after a call that came later");
      }
      this.#turn = turn;
      raise(running.last, this.#lastAsynchronous);
    }
    this.enter(id, metabyte, running);
    raise(this.#lastAsynchronous, running.last);
    raise(this.#last, running.last);
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
  explains(code: string, call: string, time: number | undefined, heard: Readings, fickle: boolean): boolean {
    const asynchronous = call === "nextAsync";
    const highest = Math.max(this.heard, this.tickOf(heard.max));
    const back = heard.count > 0 && highest > this.tickOf(heard.min);
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
        return time === undefined && (asynchronous || back);
      case "SEQUENCE_FULL":
        // Only after an ID; but the IDs of a failed call are not known here.
        return true;
      case "CLOCK_STUCK":
        return time === undefined && (asynchronous || heard.same);
      case "TIME_TAKEN":
        return time !== undefined || this.given;
      default:
        return code === "RANDOM_FAILED" && fickle;
    }
  }

  /** A defect of an ID, with the format's own description. */
  #wrong(kind: Finding["kind"], id: Id, what: string): Finding {
    let described: string;
    try {
      const { time, ...rest } = this.subject.format.inspect(id);
      described = JSON.stringify(rest);
    } catch (error) {
      described = String(error);
    }
    return new Finding(kind, `${inspect(id)} ${what}: ${described}`);
  }
}
