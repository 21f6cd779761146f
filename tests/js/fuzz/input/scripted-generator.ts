/** Generators of one identity with a scripted clock and scripted randomness, and the IDs that they have issued. */
import type { AnyGenerator } from "../../support/any-format.ts";
import { idFaults, integerOf, type Values } from "../../support/expected.ts";
import { OtherProcess } from "../../support/other-process.ts";
import { type Replacement, replace } from "../../support/replace.ts";
import type { Subject } from "../../support/subjects.ts";
import { defect } from "./outcomes.ts";

/** What a source does instead of its answer, by the number of the reading or draw within a call. */
export type Mischief = ReadonlyMap<number, () => unknown>;

const NONE: Mischief = new Map();

/** How a side is made, besides the options of its generators. */
interface Setting {
  readonly isolated: boolean;
  /** `performance.now` instead of the platform's; then the clock is `Date.now`, and no option. */
  readonly performance?: unknown;
}

/** One or two generators of one identity, with a process of their own, and one scripted clock. */
export class Side {
  readonly makers: readonly AnyGenerator[];
  /** The current instant, and the time that each reading within a call adds. */
  now = 0;
  step = 0;
  clockMischief: Mischief = NONE;
  randomMischief: Mischief = NONE;
  /** Runs at each reading of the clock and each draw; may call the generator again. */
  hook: (() => void) | undefined;
  /** The latest reading that was a time. */
  latest = Number.NEGATIVE_INFINITY;
  readonly #setting: Setting;
  #readings = 0;
  #draws = 0;

  constructor(
    readonly subject: Subject,
    options: readonly Values[],
    setting: Setting,
  ) {
    this.#setting = setting;
    const random = subject.counter === "randomness" ? { random: this.random } : {};
    const isolated = options.length === 1 && setting.isolated ? { isolated: true } : {};
    const clock = "performance" in setting ? {} : { clock: this.clock };
    const realm = new OtherProcess();
    this.makers = options.map((values) => {
      const given = { ...values, ...random, ...isolated, ...clock };
      return realm.wrap(realm.run(() => subject.format.generator(given)));
    });
  }

  /** The first generator. */
  get maker(): AnyGenerator {
    return this.makers[0] as AnyGenerator;
  }

  /** Begins a call: counts readings from 0 again. */
  begin(now: number, step: number, clock: Mischief = NONE, random: Mischief = NONE): void {
    this.now = now;
    this.step = step;
    this.clockMischief = clock;
    this.randomMischief = random;
    this.#readings = 0;
    this.#draws = 0;
  }

  /** Puts the scripted clock in the place of the platform's, if it is to be there, until the returned function is called. */
  enter(): () => void {
    const clocks: Replacement[] = [
      [performance, "now", this.#setting.performance],
      [Date, "now", this.clock],
    ];
    return "performance" in this.#setting ? replace(...clocks) : () => {};
  }

  readonly clock = (): number => {
    const reading = this.#readings++;
    this.hook?.();
    const answer = this.clockMischief.get(reading) ?? (() => this.now + reading * this.step);
    const ms = answer() as number;
    if (typeof ms === "number" && ms > this.latest && ms <= 8.64e15) {
      this.latest = ms;
    }
    return ms;
  };

  /** The bytes depend only on the instant and the draw, so that two sides draw the same. */
  readonly random = (bytes: Uint8Array): unknown => {
    const draw = this.#draws++;
    this.hook?.();
    const mischief = this.randomMischief.get(draw) ?? this.randomMischief.get(-1);
    if (mischief !== undefined) {
      const result = mischief();
      if (result === "detach") {
        structuredClone(bytes.buffer, { transfer: [bytes.buffer as ArrayBuffer] });
      }
      return result;
    }
    for (let i = 0; i < bytes.length; i++) {
      // A low start and medium steps: a tick has room for many IDs, and an end.
      bytes[i] = i === 0 && bytes.length === 3 ? 0 : ((this.now % 251) * 31 + draw * 17 + i * 7) & 63;
    }
    return undefined;
  };
}

/** All IDs that an identity has issued. */
export class Issued {
  readonly #seen = new Set<bigint>();
  readonly #fixed: readonly (readonly [index: number, value: bigint])[];
  readonly #metabyte: bigint;

  constructor(
    readonly subject: Subject,
    values: Values,
  ) {
    const { spec } = subject.reference;
    // IDs that differ only in the caller's metabyte are the same.
    this.#metabyte = spec.name === "sno" ? ~(255n << 32n) : -1n;
    // Without an option, sno's partition is drawn.
    const fixed = subject.fixed.filter((name) => name !== "partition" || values[name] !== undefined);
    this.#fixed = fixed.map((name) => {
      const value = values[name] ?? 0;
      const number = Array.isArray(value) ? value[0] * 256 + value[1] : value;
      return [spec.fields.findIndex(([field]) => field === name), BigInt(number as number)];
    });
  }

  /** Adds an ID, or those of a batch: each has the fixed fields, and none is there already. */
  add(result: unknown): void {
    const { reference: r } = this.subject;
    for (const id of typeof result === "object" ? (result as Iterable<unknown>) : [result]) {
      if (idFaults(r, id).length > 0) {
        defect(`issued ${String(id)}, which is no ID`);
      }
      const integer = integerOf(r, id);
      const values = r.unpack(integer);
      if (this.#fixed.some(([index, value]) => values[index] !== value)) {
        defect(`issued ${String(id)}, whose fixed fields are those of others`);
      }
      const key = integer & this.#metabyte;
      if (this.#seen.has(key)) {
        defect(`issued ${String(id)} twice`);
      }
      this.#seen.add(key);
    }
  }
}

/** How many IDs a tick of a generator holds. */
export function capacityOf({ reference: r, counter }: Subject, options: Values): number {
  const { sequenceMin = 0, sequenceMax = 65_535 } = options as Record<string, number>;
  const bits = new Map(r.spec.fields).get(counter) as number;
  return r.spec.name === "sno" ? sequenceMax - sequenceMin + 1 : 2 ** bits;
}
