/** Cases for `nextAsync`: bad options, several waiting calls, broken clocks, and aborts. Every promise must settle. */
import type { AnyGenerator } from "../../support/any-format.ts";
import type { Subject } from "../../support/subjects.ts";
import { mark } from "./marked.ts";
import { bag } from "./objects.ts";
import { rightOptions } from "./options.ts";
import { wholeFault } from "./oracle.ts";
import type { Outcome } from "./outcomes.ts";
import { capacityOf, Issued, Side } from "./scripted-generator.ts";
import type { Context } from "./verbs.ts";

/** How long a promise may take to settle. `maxWaitMs` is a few milliseconds in these cases. */
const PATIENCE_MS = 5000;

/** Whether a value is a genuine signal. */
function isSignal(value: unknown): boolean {
  const aborted = Object.getOwnPropertyDescriptor(AbortSignal.prototype, "aborted")?.get;
  try {
    return typeof aborted?.call(value) === "boolean";
  } catch {
    return false;
  }
}

/** The outcome of a promise; a defect if it does not settle. */
export async function settled({ outcomes }: Context, promise: unknown): Promise<Outcome> {
  if (!(promise instanceof Promise)) {
    return outcomes.defect("answered with no promise");
  }
  let timer: NodeJS.Timeout | undefined;
  const late = Symbol("late");
  const patience = new Promise<symbol>((resolve) => {
    timer = setTimeout(() => resolve(late), PATIENCE_MS);
  });
  const outcome = await outcomes.wait(() => Promise.race([promise, patience]));
  clearTimeout(timer);
  return outcome.kind === "value" && outcome.value === late
    ? outcomes.defect("the promise does not settle")
    : outcome;
}

/** One call with any options, on a generator that does not have to wait. */
export async function once(context: Context, subject: Subject): Promise<void> {
  const { outcomes, junk } = context;
  const { random } = junk;
  const { reference: r } = subject;
  const sno = r.spec.name === "sno";
  const own = rightOptions(context, subject);
  const side = new Side(subject, [new Map([...own, ["maxWaitMs", 0]])]);
  const [maker] = side.makers as [AnyGenerator];
  const values = new Map<string, unknown>();
  const reason = mark("signal");
  if (random.oneIn(2)) {
    const never = new AbortController().signal;
    const look = Object.create(AbortSignal.prototype);
    values.set(
      "signal",
      random.pick([never, AbortSignal.abort(reason), undefined, look, new Proxy(never, {}), junk.any()]),
    );
  }
  if (sno && random.oneIn(2)) {
    values.set("metabyte", random.oneIn(2) ? junk.any() : random.below(256));
  }
  const given = bag(junk, values, ["signal", ...(sno ? ["metabyte"] : [])], "UNKNOWN_OPTION");
  outcomes.begin("nextAsync", subject.label, given.object);
  side.begin(r.timestamp(r.lastTick / 2n), 0);
  const before = JSON.stringify(maker.snapshot());
  const outcome = await settled(context, maker.nextAsync(given.object));
  if (outcome.kind !== "value") {
    side.begin(side.now, 0);
    outcomes.expect(
      JSON.stringify(maker.snapshot()) === before,
      () => "a call that was refused left a trace",
    );
  }
  const signal = given.values.get("signal");
  const metabyte = given.values.get("metabyte");
  // Without options there are no faults.
  const faults = new Set(given.object === undefined ? [] : given.faults);
  if (signal !== undefined && !isSignal(signal)) {
    faults.add("TYPE");
  }
  const fault = metabyte === undefined ? undefined : wholeFault(metabyte, 255);
  if (fault !== undefined) {
    faults.add(fault);
  }
  const aborted = outcome.kind === "own" && outcome.origin === "signal";
  if (given.loose || outcome.kind === "own") {
    const trap = outcome.kind === "own" && outcome.origin === "trap";
    outcomes.expect(given.throws || given.loose || aborted || trap, () => "threw what no getter threw");
    return;
  }
  if (given.throws) {
    outcomes.expect(outcome.kind !== "value", () => "did not read an option that throws");
    return;
  }
  outcomes.verdict(outcome, faults, (id) => {
    const wrong = new Issued(subject, own).add(id);
    outcomes.expect(wrong === undefined, () => wrong as string);
  });
}

/** Several calls that wait for the same tick, with broken clocks, listeners that throw, and aborts. */
export async function together(context: Context, subject: Subject): Promise<void> {
  const { outcomes, junk } = context;
  const { random } = junk;
  const { reference: r } = subject;
  const own = rightOptions(context, subject);
  const listener = random.pick([
    undefined,
    () => {},
    () => {
      throw mark("callback");
    },
  ]);
  const options = new Map([...own, ["maxWaitMs", random.pick([0, 5, 20])], ["onOverflow", listener]]);
  if (subject.counter !== "randomness" && random.oneIn(2)) {
    options.set("sequenceFull", random.pick(["throw", "wait", "borrow"]));
  }
  const side = new Side(subject, [options as Map<string, unknown>]);
  const [maker] = side.makers as [AnyGenerator];
  const issued = new Issued(subject, own);
  const base = r.timestamp(r.lastTick / 2n);
  outcomes.begin("nextAsync, together", subject.label, options);
  side.begin(base, 0);
  try {
    issued.addAll(maker.nextMany(Math.min(capacityOf(subject, own), 100_000)));
  } catch (error) {
    outcomes.judge(error);
  }
  const mischief = new Map<number, () => unknown>();
  if (random.oneIn(2)) {
    const bad = random.oneIn(2) ? Number.NaN : undefined;
    const answer = () => {
      if (bad === undefined) {
        throw mark("clock");
      }
      return bad;
    };
    const from = random.below(12);
    for (let i = from; i < from + random.between(1, 6); i++) {
      mischief.set(i, answer);
    }
  }
  side.begin(base, random.pick([0.25, 0.5, 1, 0.01, 0]), mischief);
  const abort = new AbortController();
  const promises = Array.from({ length: random.between(1, 5) }, () =>
    settled(context, maker.nextAsync(random.oneIn(3) ? { signal: abort.signal } : undefined)),
  );
  const timer = random.oneIn(2) ? setTimeout(() => abort.abort(mark("signal")), random.below(8)) : undefined;
  for (const outcome of await Promise.all(promises)) {
    if (outcome.kind === "value") {
      const wrong = issued.add(outcome.value);
      outcomes.expect(wrong === undefined, () => wrong as string);
    }
  }
  clearTimeout(timer);
  if (r.lastTick < 10_000n) {
    return;
  }
  // The identity still works: at a later tick there is an ID at once.
  side.begin(base + 1000 * r.spec.tickMs, 0);
  const after = outcomes.run(() => maker.next());
  outcomes.expect(
    after.kind === "value" || (after.kind === "own" && after.origin === "callback"),
    () => "does not go on",
  );
}
