/** Calls on generators, with their arguments and the faults of these. */
import type { SnoGenerator } from "graupel/sno";
import type { AnyGenerator } from "../../support/any-format.ts";
import type { Subject } from "../../support/subjects.ts";
import type { Junk } from "./junk.ts";
import { instantOf, wholeFault } from "./oracle.ts";

/** A call on a generator. */
export interface Op {
  readonly name: string;
  readonly given: readonly unknown[];
  /** The faults of the arguments. */
  readonly faults?: readonly (string | undefined)[];
  /** Whether it reads the clock, or draws. */
  readonly issues: boolean;
  call(maker: AnyGenerator): unknown;
}

/** The situation of a generator, for calls that make sense there. */
export interface Place {
  readonly subject: Subject;
  /** How many IDs a tick holds. */
  readonly capacity: number;
  readonly now: number;
  /** The time of its start. */
  readonly start: number;
}

/** A snapshot as text. Then overwrites everything in the snapshot, which must not affect the generator. */
function spoilt(snapshot: Record<string, unknown>): string {
  const text = JSON.stringify(snapshot);
  const spoil = (object: object) => {
    for (const [key, value] of Object.entries(object)) {
      if (typeof value === "object" && value !== null) {
        spoil(value);
      }
      Reflect.set(object, key, 5);
    }
  };
  spoil(snapshot);
  return text;
}

/** A call on a generator, with valid or invalid arguments. */
export function operation(junk: Junk, { subject, capacity, now, start }: Place): Op {
  const { random } = junk;
  const sno = subject.reference.spec.name === "sno";
  const isText = subject.reference.spec.idType === "string";
  const bad = random.oneIn(3);
  // Formats without a metabyte ignore an argument in its place, and later ones.
  const metabyte = bad ? junk.any() : random.pick([undefined, 255, 256, -1, random.below(256)]);
  const beyond = random.oneIn(12) ? [junk.any(), junk.any()].slice(random.below(2)) : [];
  const extra = !sno
    ? undefined
    : beyond.length > 0
      ? "TYPE"
      : metabyte === undefined
        ? undefined
        : wholeFault(metabyte, 255);
  const more = [metabyte, ...beyond];
  switch (random.below(8)) {
    case 0:
    case 1:
      return {
        name: "next",
        given: more,
        faults: [extra],
        issues: true,
        call: (g) => Reflect.apply(g.next, g, more),
      };
    case 2:
      return {
        name: "nextText",
        given: more,
        faults: [extra],
        issues: true,
        call: (g) => Reflect.apply(g.nextText, g, more),
      };
    case 3:
    case 4: {
      const some = random.below(Math.min(capacity, 40) * 3);
      const full = random.oneIn(capacity > 1024 ? 1000 : 20)
        ? Math.min(capacity, 65_536) + random.below(3)
        : some;
      const any = junk.any();
      // Large valid batches would take too long.
      const n =
        random.oneIn(3) && !(wholeFault(any, 2 ** 24) === undefined && (any as number) > 100) ? any : full;
      const name = random.pick(["nextMany", "nextManyText", isText ? "nextMany" : "nextTyped"] as const);
      const faults = [wholeFault(n, 2 ** 24), extra];
      const call = (g: AnyGenerator) => Reflect.apply(g[name] as AnyGenerator["nextMany"], g, [n, ...more]);
      return {
        name,
        given: [n, ...more],
        faults,
        issues: true,
        call,
      };
    }
    case 5:
      if (sno && random.oneIn(2)) {
        const call = (g: AnyGenerator) => {
          const { partition, sequenceMin, sequenceMax } = g as unknown as SnoGenerator;
          const [number, length] = [
            (g as unknown as SnoGenerator).sequence(),
            (g as unknown as SnoGenerator).len(),
          ];
          if (length > sequenceMax - sequenceMin + 1 || number < sequenceMin) {
            throw new Error(`sequence() is ${number} and len() is ${length}`);
          }
          return [partition, number, length];
        };
        return { name: "sequence, len", given: [], issues: false, call };
      }
      return { name: "snapshot", given: [], issues: false, call: (g) => spoilt(g.snapshot()) };
    case 6: {
      const call = (g: AnyGenerator) => {
        const wrong = Object.entries(g.stats()).find(([, value]) => !(value >= 0 && value < Infinity));
        if (wrong !== undefined) {
          throw new Error(`${wrong[0]} is ${wrong[1]}`);
        }
      };
      return { name: "stats", given: [], issues: false, call };
    }
    default: {
      const from = random.pick([now, start]);
      const time = random.oneIn(3) ? junk.time() : from - random.pick([0, 1, 2, 5, 9, 100, 1e6, 1e9, -1]);
      const instant = instantOf(time);
      const tick = typeof instant === "string" ? instant : subject.reference.tick(instant);
      const faults = [typeof tick === "string" ? tick : undefined, extra];
      return {
        name: "at",
        given: [time, ...more],
        faults,
        issues: true,
        call: (g) => Reflect.apply(g.at, g, [time, ...more]),
      };
    }
  }
}
