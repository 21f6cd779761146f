/** Cases for restoring: a changed snapshot is refused, or the generator continues from it. */
import { types } from "node:util";
import type { AnyGenerator } from "../../support/any-format.ts";
import type { Subject } from "../../support/subjects.ts";
import { rightOptions } from "./options.ts";
import { idFaults, integerOf, tickBefore } from "./oracle.ts";
import { capacityOf, Issued, Side } from "./scripted-generator.ts";
import type { Context } from "./verbs.ts";

type Plain = Record<string, unknown>;

/** Changes one thing in a snapshot. Returns its name. */
function change({ junk }: Context, snapshot: Plain): string {
  const { random } = junk;
  const whole = (value: unknown) =>
    typeof value === "object" && value !== null && !types.isProxy(value) && !Object.isFrozen(value);
  const inner = ["at", "fields", "layout"].filter((key) => whole(snapshot[key]) && random.oneIn(3));
  const path = inner[0];
  const at = (path === undefined ? snapshot : snapshot[path]) as Plain;
  const keys = Object.keys(at);
  const usual = path === undefined && random.oneIn(3) ? ["left", "sequence", "last", "wallHi"] : keys;
  const key = keys.length === 0 || random.oneIn(20) ? "bogus" : random.pick(usual);
  const old = at[key];
  const kinds = [
    () => junk.any(),
    () => junk.number(),
    () => (typeof old === "number" ? old + random.pick([1, -1, 0.5, 2 ** 16]) : null),
    () => (typeof old === "number" ? 2 ** random.between(0, 53) - random.below(2) : undefined),
    () => (whole(old) ? junk.revoked(old as object) : "5"),
    () => (whole(old) ? junk.trapped(old as object) : -1),
  ];
  if (random.oneIn(8)) {
    Reflect.deleteProperty(at, key);
  } else {
    Reflect.defineProperty(at, key, {
      enumerable: true,
      configurable: true,
      writable: true,
      value: random.pick(kinds)(),
    });
  }
  return path === undefined ? key : `${path}.${key}`;
}

/** The position of an ID: sno's tick-tock bit, the tick, and the number in it. */
function placeOf(subject: Subject, id: unknown): { line: number; tick: number; number: number } {
  const { reference: r, counter } = subject;
  const values = r.unpack(integerOf(r, id));
  const index = r.spec.fields.findIndex(([name]) => name === counter);
  const line = r.spec.name === "sno" ? Number(values[1]) : 0;
  return { line, tick: Number(values[0]), number: Number(values[index]) };
}

/** The fault of an ID that follows a snapshot. */
function early(subject: Subject, snapshot: Plain, id: unknown): string | undefined {
  const { line, tick, number } = placeOf(subject, id);
  const sno = subject.reference.spec.name === "sno";
  const last = Number(sno ? (snapshot.last ?? snapshot.wallHi) : snapshot.last);
  const sequence = Number(snapshot.sequence);
  if (sno && line !== Number(snapshot.drifts) % 2) {
    return undefined;
  }
  // With "keep" or a threshold, the sequence rolls over within a millisecond.
  const spent =
    subject.reference.spec.name === "snowflake-si" ? number === sequence : last >= 0 && number <= sequence;
  return tick < last || (tick === last && spent)
    ? `issued ${String(id)}, tick ${tick} number ${number}, after a snapshot of tick ${last} number ${sequence}`
    : undefined;
}

export function snapshots(context: Context, subject: Subject): void {
  const { outcomes, junk } = context;
  const { random } = junk;
  const { reference: r } = subject;
  const own = rightOptions(context, subject);
  const sno = r.spec.name === "sno";
  const policy = new Map<string, unknown>([
    ["maxWaitMs", 0],
    ["sequenceFull", random.pick(["throw", "borrow"])],
    ["clockBackwards", random.pick(["throw", "hold", ...(sno ? ["tick-tock"] : [])])],
  ]);
  const side = new Side(subject, [new Map([...own, ...policy])]);
  const [maker] = side.makers as [AnyGenerator];
  const issued = new Issued(subject, own);
  let now = r.timestamp((r.lastTick * BigInt(random.between(0, 10))) / 10n);
  outcomes.begin("snapshot()", subject.label, own, policy);
  for (let i = random.below(6); i > 0; i--) {
    side.begin(now, 0);
    try {
      const made = random.oneIn(3)
        ? maker.at(now - 5000)
        : maker.nextMany(random.below(capacityOf(subject, own) % 60));
      issued.addAll(made);
    } catch (error) {
      outcomes.judge(error);
    }
    now += r.spec.tickMs * random.pick([0, 0, 1, 2, -1]);
  }
  side.begin(now, 0);
  const snapshot = JSON.parse(JSON.stringify(maker.snapshot())) as Plain;
  const changed: string[] = [];
  for (let i = random.pick([0, 1, 1, 1, 2]); i > 0 && snapshot !== undefined; i--) {
    changed.push(change(context, snapshot));
  }
  const from = now + r.spec.tickMs * random.pick([-1, 0, 0.5, 1, 4]);
  const notBefore = random.oneIn(3) && from <= 8.64e15 ? from : undefined;
  const spent = notBefore === undefined ? -1n : tickBefore(r, notBefore);
  outcomes.begin("restore", subject.label, changed, snapshot, notBefore);
  const step = Object.fromEntries(
    [...own].filter(([name]) => !subject.fixed.includes(name) && !/^seq.*M/.test(name)),
  );
  const restored = outcomes.run(
    () =>
      new Side(subject, [
        new Map([...Object.entries(step), ...policy, ["snapshot", snapshot], ["notBefore", notBefore]]),
      ]),
  );
  if (restored.kind === "refusal") {
    const { code } = restored;
    outcomes.expect(changed.length > 0, () => `refused an untouched snapshot: ${restored.error.message}`);
    outcomes.expect(
      ["SNAPSHOT", "TYPE"].includes(code),
      () => `refused with ${code}: ${restored.error.message}`,
    );
  } else if (restored.kind === "own") {
    outcomes.expect(restored.origin === "trap", () => `ran code of its ${restored.origin}`);
  } else if (restored.kind === "value") {
    const before = changed.length === 0 ? issued : undefined;
    follow(context, subject, restored.value as Side, { snapshot, now, issued: before, spent });
  }
}

/** The fault of an ID whose number a neighbour of sno's generator may have issued. */
function outside(subject: Subject, maker: unknown, id: unknown): string | undefined {
  const { sequenceMin, sequenceMax } = maker as { sequenceMin?: number; sequenceMax?: number };
  const { number } = placeOf(subject, id);
  return number < (sequenceMin ?? 0) || number > (sequenceMax ?? number)
    ? `issued number ${number}, outside ${sequenceMin} to ${sequenceMax}`
    : undefined;
}

/** The first IDs after a snapshot. */
function follow(
  { outcomes, junk }: Context,
  subject: Subject,
  side: Side,
  known: { snapshot: Plain; now: number; issued: Issued | undefined; spent: bigint },
): void {
  const { snapshot, issued, spent } = known;
  const { reference: r } = subject;
  // Mostly at the tick of the snapshot, where its numbers are in use.
  const last = Number(r.spec.name === "sno" ? (snapshot.last ?? snapshot.wallHi) : snapshot.last);
  let now = last >= 0 && junk.random.oneIn(2) ? r.timestamp(BigInt(last)) : known.now;
  for (let i = 0; i < 6; i++) {
    side.begin(now, 0);
    const outcome = outcomes.run(() => side.makers[0]?.next());
    if (outcome.kind === "value") {
      const id = outcome.value;
      // A changed snapshot may be that of a generator with other fields.
      outcomes.expect(idFaults(r, id, false).size === 0, () => `issued ${String(id)}, which is no ID`);
      const wrong = issued?.add(id) ?? early(subject, snapshot, id);
      outcomes.expect(wrong === undefined, () => wrong as string);
      const { tick } = placeOf(subject, id);
      outcomes.expect(BigInt(tick) > spent, () => `issued tick ${tick}, and ${spent} was spent`);
    }
    // A time that the counter for given times may have passed, or not.
    const given = outcomes.run(() => side.makers[0]?.at(now - r.spec.tickMs * junk.random.below(2000)));
    for (const made of [outcome, given]) {
      const wrong = made.kind === "value" ? outside(subject, side.makers[0], made.value) : undefined;
      outcomes.expect(wrong === undefined, () => wrong as string);
    }
    now += r.spec.tickMs * junk.random.pick([0, 0, 0, 1, 5]);
  }
}
