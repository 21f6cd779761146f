/** Several calls of `nextAsync` that wait for the same tick, with broken clocks, listeners that throw, and aborts. All must settle. */
import fc from "fast-check";
import type { AnyGenerator } from "../../support/any-format.ts";
import type { Values } from "../../support/expected.ts";
import type { Subject } from "../../support/subjects.ts";
import { mark } from "./marked.ts";
import { rightOptions } from "./options.ts";
import { judged, run, verdict, wait } from "./outcomes.ts";
import { capacityOf, Issued, type Mischief, Side } from "./scripted-generator.ts";
import { seldom } from "./values.ts";

const NAME = "nextAsync, together";

const throwing = (origin: "callback" | "clock") => () => {
  throw mark(origin);
};

interface Wait {
  readonly own: Values;
  readonly policy: Values;
  /** The first broken reading, how many there are, and what they say. */
  readonly broken: readonly [from: number, count: number, what: () => unknown] | null;
  readonly step: number;
  /** For each call, whether it has the signal; and when that is aborted. */
  readonly calls: readonly boolean[];
  readonly abortMs: number | null;
}

/** Cases of one subject. */
export function waits(subject: Subject): fc.Arbitrary<() => Promise<void>> {
  const isRandom = subject.counter === "randomness";
  const full = fc.constantFrom(undefined, "throw", "wait", "borrow");
  const wait = fc.record<Wait>({
    own: rightOptions(subject),
    policy: fc.record({
      maxWaitMs: fc.constantFrom(0, 5, 20),
      onOverflow: fc.constantFrom(undefined, () => {}, throwing("callback")),
      sequenceFull: isRandom ? fc.constant(undefined) : full,
    }),
    broken: fc.option(
      fc.tuple(
        fc.nat(11),
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom(throwing("clock"), () => Number.NaN),
      ),
      { freq: 2 },
    ),
    step: fc.constantFrom(0.25, 0.5, 1, 0.01, 0),
    calls: fc.array(
      seldom(3, fc.constant(true)).map((has) => has !== null),
      { minLength: 1, maxLength: 5 },
    ),
    abortMs: fc.option(fc.nat(7), { freq: 2 }),
  });
  return wait.map((drawn) => () => together(subject, drawn));
}

async function together(
  subject: Subject,
  { own, policy, broken, step, calls, abortMs }: Wait,
): Promise<void> {
  const { reference: r } = subject;
  const side = new Side(subject, [{ ...own, ...policy }], { isolated: true });
  const maker = side.makers[0] as AnyGenerator;
  const issued = new Issued(subject, own);
  const base = r.timestamp(r.lastTick / 2n);
  side.begin(base, 0);
  try {
    issued.add(maker.nextMany(Math.min(capacityOf(subject, own), 100_000)));
  } catch (error) {
    judged(error);
  }
  const [from, count, what] = broken ?? [0, 0, () => {}];
  const mischief: Mischief = new Map(Array.from({ length: count }, (_, i) => [from + i, what]));
  side.begin(base, step, mischief);
  const abort = new AbortController();
  const answers = calls.map((has) =>
    wait(NAME, () => maker.nextAsync(has ? { signal: abort.signal } : undefined)),
  );
  const timer = abortMs === null ? undefined : setTimeout(() => abort.abort(mark("signal")), abortMs);
  for (const outcome of await Promise.all(answers)) {
    if (outcome.kind === "value") {
      issued.add(outcome.value);
    }
  }
  clearTimeout(timer);
  const later = base + 1000 * r.spec.tickMs;
  if (typeof r.tick(later) === "string") {
    return;
  }
  // The identity still works: at a later tick there is an ID at once.
  side.begin(later, 0);
  const outcome = run("after a wait", () => maker.next());
  verdict(outcome, { faults: [], own: ["callback"] });
}
