/** A generator with a scripted clock and scripted randomness, and the IDs that it has issued. */

import type { AnyGenerator } from "../../support/any-format.ts";
import { OtherProcess } from "../../support/other-process.ts";
import type { Subject } from "../../support/subjects.ts";
import { widthOf } from "./options.ts";
import { idFaults, integerOf } from "./oracle.ts";

/** What a source does instead of its answer, by the number of the reading within a call. */
export type Mischief = ReadonlyMap<number, () => unknown>;

const NONE: Mischief = new Map();

/** Counts the sides. Every other one without a second generator is isolated; the others have their own process. */
let sides = 0;

/** One side of a pair: its own scripted clock, and one or two generators of one identity. */
export class Side {
  readonly makers: AnyGenerator[];
  /** The current instant, and the time that each reading within a call adds. */
  now = 0;
  step = 0;
  clockMischief: Mischief = NONE;
  randomMischief: Mischief = NONE;
  /** Runs at each reading of the clock and each draw; may call the generator again. */
  hook: (() => void) | undefined;
  #readings = 0;
  #draws = 0;

  constructor(
    readonly subject: Subject,
    options: readonly ReadonlyMap<string, unknown>[],
  ) {
    const random = subject.counter === "randomness" ? { random: this.random } : {};
    const apart = options.length === 1 && sides++ % 2 === 0 ? { isolated: true } : {};
    const realm = new OtherProcess();
    this.makers = options.map((values) => {
      const given = { ...Object.fromEntries(values), ...random, ...apart, clock: this.clock };
      return realm.wrap(realm.run(() => subject.format.generator(given)));
    });
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

  readonly clock = (): number => {
    const reading = this.#readings++;
    this.hook?.();
    const mischief = this.clockMischief.get(reading);
    return mischief === undefined ? this.now + reading * this.step : (mischief() as number);
  };

  /** The bytes depend only on the instant and the draw, so that both sides draw the same. */
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
  readonly #metabyte: bigint;

  constructor(
    readonly subject: Subject,
    readonly fixed: ReadonlyMap<string, unknown>,
  ) {
    // IDs that differ only in the caller's metabyte are the same.
    this.#metabyte = subject.reference.spec.name === "sno" ? ~(255n << 32n) : -1n;
  }

  get size(): number {
    return this.#seen.size;
  }

  /** The fault of an ID as the next one of this identity; undefined if there is none. */
  add(id: unknown): string | undefined {
    const { reference: r, fixed: names } = this.subject;
    if (idFaults(r, id, true).size > 0) {
      return `issued ${String(id)}, which is no ID`;
    }
    const integer = integerOf(r, id);
    const values = r.unpack(integer);
    for (const name of names) {
      const given = this.fixed.get(name) ?? 0;
      const number = Array.isArray(given) ? given[0] * 256 + given[1] : given;
      const index = r.spec.fields.findIndex(([field]) => field === name);
      if (values[index] !== BigInt(number as number)) {
        return `issued ${String(id)}, whose ${name} is ${values[index]}, not ${number}`;
      }
    }
    const key = integer & this.#metabyte;
    if (this.#seen.has(key)) {
      return `issued ${String(id)} twice`;
    }
    this.#seen.add(key);
    return undefined;
  }

  /** The same for a batch, or one ID. */
  addAll(result: unknown): string | undefined {
    if (typeof result !== "object" || result === null) {
      return this.add(result);
    }
    let wrong: string | undefined;
    for (const id of result as Iterable<unknown>) {
      wrong = this.add(id) ?? wrong;
    }
    return wrong;
  }
}

/** How many IDs a tick of a generator holds. */
export function capacityOf(subject: Subject, options: ReadonlyMap<string, unknown>): number {
  const [low, high] = [options.get("sequenceMin") ?? 0, options.get("sequenceMax") ?? 65_535] as number[];
  return subject.reference.spec.name === "sno"
    ? (high as number) - (low as number) + 1
    : 2 ** widthOf(subject.reference, subject.counter);
}
