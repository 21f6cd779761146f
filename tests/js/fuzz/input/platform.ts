/** Cases with a broken platform, such as test libraries make: `Date.now` and `performance.now` return anything. */

import type { AnyGenerator } from "../../support/any-format.ts";
import { OtherProcess } from "../../support/other-process.ts";
import { type Replacement, replace } from "../../support/replace.ts";
import type { Subject } from "../../support/subjects.ts";
import { mark } from "./marked.ts";
import { rightOptions } from "./options.ts";
import type { Outcome } from "./outcomes.ts";
import { capacityOf, Issued } from "./scripted-generator.ts";
import type { Context } from "./verbs.ts";
import { settled } from "./waits.ts";

/** Runs something with replaced properties; then restores them. */
async function replaced<T>(replacements: readonly Replacement[], run: () => T | Promise<T>): Promise<T> {
  const restore = replace(...replacements);
  try {
    return await run();
  } finally {
    restore();
  }
}

/** A replacement of `performance.now`. */
function otherClock({ junk }: Context): unknown {
  const { random } = junk;
  const standing = random.below(1000);
  const any = random.pick([Number.NaN, "5", 5n, undefined, null, Number.POSITIVE_INFINITY, standing]);
  let back = 1e6;
  return random.make<unknown>(
    () => () => any,
    () => () => back--,
    () => undefined,
  );
}

/** The fault of a reading of the system clock; undefined if it is a time of the format. */
function readingFault({ reference: r }: Subject, reading: unknown): string | undefined {
  const inRange = typeof reading === "number" && reading >= -8.64e15 && reading <= 8.64e15;
  if (!inRange || reading === 0) {
    return "CLOCK_INVALID";
  }
  const tick = r.tick(reading);
  return typeof tick === "string" ? tick : undefined;
}

export async function platform(context: Context, subject: Subject): Promise<void> {
  const { outcomes, junk } = context;
  const { random } = junk;
  const { reference: r, format } = subject;
  const own = rightOptions(context, subject);
  own.set("maxWaitMs", random.pick([1, 1, 3]));
  const realm = new OtherProcess();
  const options = Object.fromEntries(own);
  const maker = realm.wrap(realm.run(() => format.generator(options)) as AnyGenerator);
  const issued = new Issued(subject, own);
  const performance = otherClock(context);
  // A system clock that reads 0 is none.
  const now = r.timestamp(r.lastTick / 2n) || 1;
  const n = Math.min(capacityOf(subject, own) * random.pick([1, 3]) + random.below(2), 100);
  // Some layouts end within the case.
  const isShort = r.lastTick < 10_000n;
  // A clock with invalid readings, or one that stands or runs while calls wait.
  const bad = random.oneIn(2);
  const value = random.oneIn(2) ? junk.any() : random.pick([Number.NaN, 5n, "5", undefined, null]);
  const [step, throwing] = [random.pick([0, 0.01, 1]), random.oneIn(6)];
  let readings = 0;
  const read = () => {
    if (bad && throwing) {
      throw mark("clock");
    }
    return bad ? value : now + readings++ * step;
  };
  const calls = ["next", "nextText", "nextMany", "nextManyText", "nextAsync"] as const;
  const call = random.pick(maker.nextTyped ? ([...calls, "nextTyped"] as const) : calls);
  outcomes.begin(`platform, ${call}`, subject.label, own, bad ? value : step, throwing, n);
  const run = (): Promise<Outcome> | Outcome =>
    call === "nextAsync"
      ? settled(context, maker.nextAsync())
      : outcomes.run(() => (call === "next" || call === "nextText" ? maker[call]() : maker[call]?.(n)));
  const clocks: Replacement[] = [
    [globalThis.performance, "now", performance],
    [Date, "now", read],
  ];
  const outcome = await replaced(clocks, run);
  const fault = bad && !throwing ? readingFault(subject, value) : undefined;
  if (outcome.kind === "own") {
    outcomes.expect(bad && throwing, () => "threw what the clock had not thrown");
  } else if (fault !== undefined) {
    outcomes.verdict(outcome, new Set([fault]), () => {});
  } else if (outcome.kind === "refusal") {
    const codes = ["SEQUENCE_FULL", "CLOCK_STUCK", ...(isShort ? ["END_OF_LIFE"] : [])];
    outcomes.expect(
      codes.includes(outcome.code),
      () => `refused with ${outcome.code}: ${outcome.error.message}`,
    );
  } else if (outcome.kind === "value") {
    const wrong = issued.addAll(outcome.value);
    outcomes.expect(wrong === undefined, () => wrong as string);
  }
  if ((bad && typeof value === "number") || isShort) {
    return;
  }
  // With the platform restored, the generator works again.
  const after = await replaced([[Date, "now", () => now + 1000 * r.spec.tickMs]], () =>
    outcomes.run(() => maker.next()),
  );
  outcomes.verdict(after, new Set(), (id) => {
    const wrong = issued.add(id);
    outcomes.expect(wrong === undefined, () => wrong as string);
  });
}
