/** Calls on generators, with right and wrong arguments, and the faults of these. */
import fc from "fast-check";
import type { AnyGenerator } from "../../support/any-format.ts";
import { type Fault, lifeFaults, numberFaults, type Values } from "../../support/expected.ts";
import type { Subject } from "../../support/subjects.ts";
import { mark } from "./marked.ts";
import { bags } from "./objects.ts";
import { defect } from "./outcomes.ts";
import { anything, type Given, time } from "./values.ts";

/** A call on a generator. */
export interface Operation {
  readonly name: string;
  /** Makes the arguments. `now` is the present, `start` that of the story's begin. */
  readonly given: (now: number, start: number) => readonly unknown[];
  /** The faults of the arguments, as they are read. */
  readonly faults: (...given: readonly unknown[]) => readonly Fault[];
  /** Whether it reads the clock, given these arguments; and whether it answers with IDs. */
  readonly reads: (...given: readonly unknown[]) => boolean;
  readonly issues: boolean;
  readonly call: (maker: AnyGenerator, ...given: readonly unknown[]) => unknown;
}

const LARGEST_BATCH = 2 ** 24;

/** A snapshot as text. Then overwrites everything in the snapshot, which must not affect the generator. */
function spoilt(snapshot: object): string {
  const text = JSON.stringify(snapshot);
  const spoil = (object: object) => {
    for (const [key, value] of Object.entries(object)) {
      if (Object(value) === value) spoil(value);
      Reflect.set(object, key, 5);
    }
  };
  spoil(snapshot);
  return text;
}

/** What only sno's generators say of themselves. */
function place({ sequence, len, ...bounds }: AnyGenerator): unknown {
  const { partition, sequenceMin, sequenceMax } = bounds as unknown as Record<string, number>;
  const [number, length] = [sequence?.() as number, len?.() as number];
  const most = (sequenceMax as number) - (sequenceMin as number) + 1;
  return length <= most && number >= (sequenceMin as number)
    ? [partition, number, length]
    : defect(`sequence() is ${number} and len() is ${length}`);
}

function counters(maker: AnyGenerator): void {
  const wrong = Object.entries(maker.stats()).find(([, value]) => !(value >= 0 && value < Infinity));
  if (wrong !== undefined) {
    defect(`${wrong[0]} is ${wrong[1]}`);
  }
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

const look = Object.create(AbortSignal.prototype);
const signals = fc.oneof(
  anything,
  fc.constantFrom<Given>(
    () => undefined,
    () => new AbortController().signal,
    () => AbortSignal.abort(mark("signal")),
    () => look,
    () => new Proxy(new AbortController().signal, {}),
  ),
);

const known = new Map<string, fc.Arbitrary<Operation>>();

/** Operations of a subject's generators; `capacity`: how many IDs a tick holds. */
export function operations(subject: Subject, capacity: number): fc.Arbitrary<Operation> {
  const key = `${subject.label} ${capacity}`;
  const made = known.get(key) ?? operationsOf(subject, capacity);
  known.set(key, made);
  return made;
}

function operationsOf({ reference: r }: Subject, capacity: number): fc.Arbitrary<Operation> {
  const isSno = r.spec.name === "sno";
  const right = fc.option(fc.integer({ min: -1, max: 256 }), { nil: undefined }).map(
    (value): Given =>
      () =>
        value,
  );
  const metabyte = fc.oneof({ weight: 3, arbitrary: right }, anything);
  const none = fc.constant<readonly Given[]>([]);
  const beyond = fc.oneof({ weight: 9, arbitrary: none }, fc.tuple(anything), fc.tuple(anything, anything));
  const more = fc.tuple(metabyte, beyond).map(([metabyte, beyond]) => [metabyte, ...beyond]);
  // Formats without a metabyte ignore an argument in its place, and later ones.
  const moreFaults = (metabyte?: unknown, ...beyond: readonly unknown[]): Fault[] => {
    const own = metabyte === undefined ? [] : numberFaults(metabyte, "metabyte", 255);
    const many = beyond.length > 0 ? [{ code: "TYPE", field: "arguments", value: beyond.length }] : [];
    return isSno ? [...many, ...own] : [];
  };
  const made = (drawn: readonly Given[]) => () => drawn.map((given) => given());

  const one = (name: "next" | "nextText") =>
    more.map(
      (drawn): Operation => ({
        name,
        given: made(drawn),
        faults: moreFaults,
        reads: () => true,
        issues: true,
        call: (maker, ...given) => maker[name](...given),
      }),
    );

  const some = fc.nat(Math.min(capacity, 40) * 3);
  const full = fc.nat(2).map((beyond) => Math.min(capacity, 65_536) + beyond);
  // Large valid batches would take too long.
  const any = anything.map(
    (given): Given =>
      () => {
        const n = given();
        return numberFaults(n, "n", LARGEST_BATCH).length === 0 && (n as number) > 100 ? 100 : n;
      },
  );
  const edges = fc.constantFrom(-1, -0, 0.5, LARGEST_BATCH + 1);
  const counts = fc.oneof(
    {
      weight: capacity > 1024 ? 500 : 12,
      arbitrary: some.map(
        (n): Given =>
          () =>
            n,
      ),
    },
    {
      weight: 1,
      arbitrary: full.map(
        (n): Given =>
          () =>
            n,
      ),
    },
    {
      weight: capacity > 1024 ? 200 : 5,
      arbitrary: fc.oneof(
        any,
        edges.map(
          (n): Given =>
            () =>
              n,
        ),
      ),
    },
  );
  const batch = (name: "nextMany" | "nextManyText" | "nextTyped") =>
    fc.tuple(counts, more).map(
      ([n, more]): Operation => ({
        name,
        given: made([n, ...more]),
        faults: (n, ...more) => [...numberFaults(n, "n", LARGEST_BATCH), ...moreFaults(...more)],
        reads: (n) => n !== 0,
        issues: true,
        call: (maker, ...given) => maker[name]?.(...given),
      }),
    );

  const past = fc.tuple(fc.boolean(), fc.constantFrom(0, 1, 2, 5, 9, 100, 1e6, 1e9, -1));
  const times = fc.oneof(
    {
      weight: 2,
      arbitrary: past.map(
        ([isNow, ms]) =>
          (now: number, start: number) =>
            (isNow ? now : start) - ms,
      ),
    },
    time,
  );
  const at = fc.tuple(times, more).map(
    ([time, more]): Operation => ({
      name: "at",
      given: (now, start) => [time(now, start), ...made(more)()],
      faults: (time, ...more) => [...lifeFaults(r, time, "time", "clock"), ...moreFaults(...more)],
      reads: () => false,
      issues: true,
      call: (maker, ...given) => maker.at(...given),
    }),
  );

  const left = fc.constant<Given | undefined>(undefined);
  const option = (name: string, values: fc.Arbitrary<Given>) =>
    fc.oneof(left, values).map((value) => (value === undefined ? [] : [[name, value] as const]));
  const entries = fc
    .tuple(option("signal", signals), isSno ? option("metabyte", metabyte) : fc.constant([]))
    .map((all) => all.flat());
  const objects = bags(entries, "options", "UNKNOWN_OPTION", isSno ? ["signal", "metabyte"] : ["signal"]);
  const nextAsync = fc
    .oneof(
      objects,
      fc.constant<Given>(() => undefined),
    )
    .map(
      (bag): Operation => ({
        name: "nextAsync",
        given: made([bag]),
        faults: (read) => {
          const { signal, metabyte } = (read ?? {}) as Values;
          const wrong = signal !== undefined && !isSignal(signal);
          return [
            ...(wrong ? [{ code: "TYPE", field: "signal", value: signal }] : []),
            ...moreFaults(metabyte),
          ];
        },
        reads: () => true,
        issues: true,
        call: (maker, bag) => maker.nextAsync(bag),
      }),
    );

  const asked = (name: string, call: Operation["call"]) =>
    fc.constant<Operation>({
      name,
      given: () => [],
      faults: () => [],
      reads: () => false,
      issues: false,
      call,
    });
  return fc.oneof(
    { weight: 2, arbitrary: one("next") },
    one("nextText"),
    batch("nextMany"),
    batch(r.spec.idType === "string" ? "nextManyText" : "nextTyped"),
    batch("nextManyText"),
    at,
    nextAsync,
    isSno ? asked("sequence, len", place) : asked("stats", counters),
    asked("stats", counters),
    asked("snapshot", (maker) => spoilt(maker.snapshot())),
  );
}
