/** A generator under attack: its clock and its randomness by script, and the IDs that came out of it. */

import type { AnyGenerator } from "../../support/any-format.ts";
import { OtherProcess } from "../../support/other-process.ts";
import type { Subject } from "../../support/subjects.ts";
import { widthOf } from "./options.ts";
import { idFaults, integerOf } from "./oracle.ts";

/** What a source does instead of answering, by the number of the reading within a call. */
export type Mischief = ReadonlyMap<number, () => unknown>;

const NONE: Mischief = new Map();

/** Every other generator that has no second one beside it is isolated; the others live in a process of their own. */
let sides = 0;

/** One side of a pair: a clock of its own that follows the script, and a generator or two of one identity. */
export class Side {
  readonly makers: AnyGenerator[];
  /** The present instant, and by how much each reading within a call moves it. */
  now = 0;
  step = 0;
  clockMischief: Mischief = NONE;
  randomMischief: Mischief = NONE;
  /** Runs at each reading of the clock and each draw; calls the generator again, perhaps. */
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

  /** Begins a call: readings count anew. */
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

  /** The same bytes for the same instant and draw, so that both draw alike. */
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
      // A tick's start low, its steps middling: room for many, and an end.
      bytes[i] = i === 0 && bytes.length === 3 ? 0 : ((this.now % 251) * 31 + draw * 17 + i * 7) & 63;
    }
    return undefined;
  };
}

/** The IDs that an identity has issued, whatever issued them. */
export class Issued {
  readonly #seen = new Set<bigint>();
  readonly #metabyte: bigint;

  constructor(
    readonly subject: Subject,
    readonly fixed: ReadonlyMap<string, unknown>,
  ) {
    // The metabyte is the caller's own, and makes no ID another one.
    this.#metabyte = subject.reference.spec.name === "sno" ? ~(255n << 32n) : -1n;
  }

  get size(): number {
    return this.#seen.size;
  }

  /** What is wrong with an ID as the next of this identity, if anything. */
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
