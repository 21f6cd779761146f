/** Calls on generators with right and wrong arguments, and the faults of these arguments. */
import fc from "fast-check";
import type { AnyGenerator } from "../../support/any-format.ts";
import { type Fault, lifeFaults, numberFaults, type Values } from "../../support/expected.ts";
import type { FormatUnderTest } from "../../support/formats.ts";
import { anything, constant, type Given, time } from "../../support/junk.ts";
import { mark } from "../../support/marked.ts";
import { bags } from "./objects.ts";
import { expect, isBag } from "./outcomes.ts";
import { entriesOf } from "./parameters.ts";

type Faults = (...given: readonly unknown[]) => readonly Fault[];

export interface Operation {
  readonly name: string;
  /** Creates the arguments from the current time and the start time of the story. */
  readonly given: (now: number, start: number) => readonly unknown[];
  /** The faults of the arguments, given the values read from them. */
  readonly faults: Faults;
}

/** How many IDs a tick of a generator holds. */
export function capacityOf({ reference: r, counts }: FormatUnderTest, options: Values): number {
  const { sequenceMin = 0, sequenceMax = 65_535 } = options as Record<string, number>;
  const bits = new Map(r.spec.fields).get(counts) as number;
  return r.spec.name === "sno" ? sequenceMax - sequenceMin + 1 : 2 ** bits;
}

/** Whether an operation returns IDs, and whether it reads the clock to do so. */
export const issues = ({ name }: Operation): boolean => /^next|^at$/.test(name);
export const reads = (operation: Operation, given: readonly unknown[]): boolean =>
  issues(operation) && operation.name !== "at" && !(/Many|Typed/.test(operation.name) && given[0] === 0);

/** Operations that call more than one method or check the result. */
const CALLS: Readonly<Record<string, (maker: AnyGenerator) => unknown>> = {
  /**
   * Returns the snapshot as text. Then overwrites everything in the snapshot, which must not affect
   * the generator.
   */
  snapshot(maker) {
    const snapshot = maker.snapshot();
    const text = JSON.stringify(snapshot);
    const spoil = (object: object) => {
      for (const [key, value] of Object.entries(object)) {
        if (Object(value) === value) spoil(value);
        Reflect.set(object, key, 5);
      }
    };
    spoil(snapshot);
    return text;
  },
  stats(maker) {
    const wrong = Object.entries(maker.stats()).filter(([, value]) => !(value >= 0 && value < Infinity));
    expect(wrong.length === 0, () => `stats() says ${wrong}`);
  },
  /** The values that only sno's generators expose. */
  "sequence, len"({ sequence, len, ...bounds }) {
    const { partition, sequenceMin, sequenceMax } = bounds as unknown as Record<
      "partition" | "sequenceMin" | "sequenceMax",
      number
    >;
    const [number, length] = [sequence?.() as number, len?.() as number];
    const fits = length <= sequenceMax - sequenceMin + 1 && number >= sequenceMin;
    expect(fits, () => `sequence() is ${number} and len() is ${length}`);
    return [partition, number, length];
  },
};

/** Calls a generator. */
export function callOf({ name }: Operation, maker: AnyGenerator, made: readonly unknown[]): unknown {
  const given = made.map((value) => (isBag(value) ? value.object : value));
  // `Object.prototype` may be polluted.
  return Object.hasOwn(CALLS, name) ? CALLS[name]?.(maker) : maker[name as "next"](...given);
}

/** Whether a value is a genuine signal. */
function isSignal(value: unknown): boolean {
  const aborted = Object.getOwnPropertyDescriptor(AbortSignal.prototype, "aborted")?.get;
  try {
    return typeof aborted?.call(value) === "boolean";
  } catch {
    return false;
  }
}

const signals = fc.oneof(
  anything,
  fc.constantFrom<Given>(
    () => undefined,
    () => new AbortController().signal,
    () => AbortSignal.abort(mark("signal")),
    () => Object.create(AbortSignal.prototype),
    () => new Proxy(new AbortController().signal, {}),
  ),
);

const LARGEST_BATCH = 2 ** 24;

/**
 * How many IDs to request: a few, a full tick, or an invalid count. Large valid batches would take
 * too long.
 */
function countsOf(capacity: number): fc.Arbitrary<Given> {
  const brief = (n: unknown) =>
    numberFaults(n, "n", LARGEST_BATCH).length === 0 && (n as number) > 100 ? 100 : n;
  const wrong = fc.oneof(
    anything.map((given) => () => brief(given())),
    constant(fc.constantFrom(-1, -0, 0.5, LARGEST_BATCH + 1)),
  );
  return fc.oneof(
    { weight: capacity > 1024 ? 500 : 12, arbitrary: constant(fc.nat(Math.min(capacity, 40) * 3)) },
    { weight: 1, arbitrary: constant(fc.nat(2).map((beyond) => Math.min(capacity, 65_536) + beyond)) },
    { weight: capacity > 1024 ? 200 : 5, arbitrary: wrong },
  );
}

const whole = fc.option(fc.integer({ min: -1, max: 256 }), { nil: undefined });
const metabyte = fc.oneof({ weight: 3, arbitrary: constant(whole) }, anything);
const beyond = fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, fc.array(anything, { maxLength: 2 }));

/** The final arguments of calls: a metabyte, and sometimes more. */
const endings = fc
  .tuple(metabyte, beyond)
  .map(([metabyte, beyond]): readonly Given[] => [metabyte, ...beyond]);

/** The faults of these arguments. Formats without a metabyte ignore them. */
const endingFaults =
  ({ reference: { spec } }: FormatUnderTest): Faults =>
  (metabyte, ...beyond) =>
    spec.name !== "sno"
      ? []
      : [
          ...(beyond.length > 0 ? [{ code: "TYPE", field: "arguments", value: beyond.length }] : []),
          ...(metabyte !== undefined ? numberFaults(metabyte, "metabyte", 255) : []),
        ];

/** Operations on a format's generators. `capacity` is the number of IDs that a tick holds. */
export function operations(subject: FormatUnderTest, capacity: number): fc.Arbitrary<Operation> {
  const { reference: r } = subject;
  const isSno = r.spec.name === "sno";
  const metabyteFaults = endingFaults(subject);
  const after = (first: fc.Arbitrary<Given>) => fc.tuple(first, endings).map(([one, more]) => [one, ...more]);

  const past = fc.tuple(fc.boolean(), fc.constantFrom(0, 1, 2, 5, 9, 100, 1e6, 1e9, -1));
  const near = past.map(
    ([isNow, ms]): Given =>
      (now = 0, start = 0) =>
        (isNow ? now : start) - ms,
  );

  const right = { signal: signals, metabyte };
  const names: (keyof typeof right)[] = isSno ? ["signal", "metabyte"] : ["signal"];
  const entries = entriesOf(
    names.map((name) => ({ name, required: false, right: right[name], near: anything })),
  );
  const options = bags(entries, "options", "UNKNOWN_OPTION", names);
  const optionFaults: Faults = (read) => {
    const { signal: value, metabyte } = (read ?? {}) as Values;
    const isWrong = value !== undefined && !isSignal(value);
    return [...(isWrong ? [{ code: "TYPE", field: "signal", value }] : []), ...metabyteFaults(metabyte)];
  };

  const row = (
    name: string,
    given: fc.Arbitrary<readonly Given[]> = fc.constant([]),
    faults: Faults = () => [],
  ) =>
    given.map(
      (drawn): Operation => ({ name, given: (now, start) => drawn.map((one) => one(now, start)), faults }),
    );
  const batch = (name: string) =>
    row(name, after(countsOf(capacity)), (n, ...more) => [
      ...numberFaults(n, "n", LARGEST_BATCH),
      ...metabyteFaults(...more),
    ]);
  return fc.oneof(
    { weight: 2, arbitrary: row("next", endings, metabyteFaults) },
    row("nextText", endings, metabyteFaults),
    batch("nextMany"),
    batch("nextManyText"),
    batch(r.spec.idType === "string" ? "nextManyText" : "nextTyped"),
    row("at", after(fc.oneof({ weight: 2, arbitrary: near }, time)), (time, ...more) => [
      ...lifeFaults(r, time, "time", "clock"),
      ...metabyteFaults(...more),
    ]),
    row(
      "nextAsync",
      fc.tuple(
        fc.oneof<fc.Arbitrary<Given>[]>(
          options,
          fc.constant(() => undefined),
        ),
      ),
      optionFaults,
    ),
    row(isSno ? "sequence, len" : "stats"),
    row("stats"),
    row("snapshot"),
  );
}
