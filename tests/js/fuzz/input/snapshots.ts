/** Cases for restoring: a changed snapshot is refused, or the generator continues from it. */
import { types } from "node:util";
import fc from "fast-check";
import type { AnyGenerator } from "../../support/any-format.ts";
import { idFaults, integerOf, type Values } from "../../support/expected.ts";
import type { Subject } from "../../support/subjects.ts";
import { type Operation, operations } from "./operations.ts";
import { rightOptions, tickBefore } from "./options.ts";
import { defect, expect, isBag, judged, picture, run, told } from "./outcomes.ts";
import { capacityOf, Issued, Side } from "./scripted-generator.ts";
import { anything, number, revoked, trapped } from "./values.ts";

type Plain = Record<string, unknown>;

/** Whether something in a snapshot can be changed. */
const isOpen = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !types.isProxy(value) && !Object.isFrozen(value);

/** One change: of which part of the snapshot, at which key, from the old value to a new one. */
interface Change {
  readonly part: string | null;
  readonly at: number;
  readonly key: string | null;
  readonly what: ((old: unknown) => unknown) | "remove";
}

const whats: fc.Arbitrary<Change["what"]> = fc.oneof(
  fc.constant<"remove">("remove"),
  anything.map((given) => given),
  number.map((value) => () => value),
  fc
    .constantFrom(1, -1, 0.5, 2 ** 16)
    .map((by) => (old: unknown) => (typeof old === "number" ? old + by : null)),
  fc.tuple(fc.nat(53), fc.nat(1)).map(
    ([bits, less]) =>
      () =>
        2 ** bits - less,
  ),
  fc.constantFrom(
    (old: unknown) => (isOpen(old) ? revoked(old) : "5"),
    (old: unknown) => (isOpen(old) ? trapped(old) : -1),
  ),
);

const changes: fc.Arbitrary<Change> = fc.record({
  part: fc.constantFrom(null, null, "at", "fields", "layout"),
  at: fc.nat(),
  key: fc.constantFrom(null, null, null, null, "left", "sequence", "last", "wallHi", "bogus"),
  what: whats,
});

function change(snapshot: Plain, { part, at, key, what }: Change): void {
  const inner = part === null ? undefined : snapshot[part];
  const target = isOpen(inner) ? inner : snapshot;
  const keys = Object.keys(target);
  const name = key ?? keys[at % keys.length] ?? "bogus";
  if (what === "remove") {
    Reflect.deleteProperty(target, name);
  } else {
    const value = what(target[name]);
    Object.defineProperty(target, name, { enumerable: true, configurable: true, writable: true, value });
  }
}

/** The place of an ID: sno's tick-tock bit, the tick, and the number in it. */
function placeOf(
  { reference: r, counter }: Subject,
  id: unknown,
): { turn: number; tick: number; number: number } {
  const values = r.unpack(integerOf(r, id));
  const index = r.spec.fields.findIndex(([name]) => name === counter);
  return {
    turn: r.spec.name === "sno" ? Number(values[1]) : 0,
    tick: Number(values[0]),
    number: Number(values[index]),
  };
}

/** The last tick of a snapshot. */
const lastOf = ({ last, wallHi }: Plain): number => Number(last ?? wallHi);

/** Whether an ID must not follow a snapshot. */
function isSpent(subject: Subject, snapshot: Plain, id: unknown): boolean {
  const { turn, tick, number } = placeOf(subject, id);
  const [last, sequence] = [lastOf(snapshot), Number(snapshot.sequence)];
  const { name } = subject.reference.spec;
  if (name === "sno" && turn !== Number(snapshot.drifts) % 2) {
    return false;
  }
  // With "keep" or a threshold, the sequence rolls over within a millisecond.
  const spent = name === "snowflake-si" ? number === sequence : last >= 0 && number <= sequence;
  return tick < last || (tick === last && spent);
}

interface Restart {
  readonly own: Values;
  readonly policy: Values;
  readonly tenths: bigint;
  readonly before: readonly (readonly [operation: Operation, by: number])[];
  readonly changes: readonly Change[];
  /** `notBefore`, in ticks from the snapshot. */
  readonly from: number | null;
  readonly atLast: boolean;
  readonly after: readonly (readonly [past: number, by: number])[];
}

/** Cases of one subject. */
export function snapshots(subject: Subject): fc.Arbitrary<() => void> {
  const isSno = subject.reference.spec.name === "sno";
  const backwards = fc.constantFrom("throw", "hold", ...(isSno ? ["tick-tock"] : []));
  const policy = fc.record({ sequenceFull: fc.constantFrom("throw", "borrow"), clockBackwards: backwards });
  return rightOptions(subject)
    .chain((own) => {
      const operation = operations(subject, capacityOf(subject, own)).filter(
        ({ name }) => name !== "nextAsync",
      );
      return fc.record<Restart>({
        own: fc.constant(own),
        policy: policy.map((words) => ({ ...words, maxWaitMs: 0 })),
        tenths: fc.bigInt({ min: 0n, max: 10n }),
        before: fc.array(fc.tuple(operation, fc.constantFrom(0, 0, 1, 2, -1)), { maxLength: 6 }),
        changes: fc.array(changes, { maxLength: 2 }),
        from: fc.constantFrom(null, null, null, null, -1, 0, 0.5, 1, 4),
        atLast: fc.boolean(),
        after: fc.array(fc.tuple(fc.nat(2000), fc.constantFrom(0, 0, 0, 1, 5)), {
          minLength: 6,
          maxLength: 6,
        }),
      });
    })
    .map((restart) => () => {
      try {
        play(subject, restart);
      } catch (error) {
        throw new Error(`${subject.label}, ${picture(restart)}`, { cause: error });
      }
    });
}

function play(
  subject: Subject,
  { own, policy, tenths, before, changes, from, atLast, after }: Restart,
): void {
  const { reference: r, fixed } = subject;
  const setting = { isolated: true };
  const side = new Side(subject, [{ ...own, ...policy }], setting);
  const maker = side.makers[0] as AnyGenerator;
  const issued = new Issued(subject, own);
  let now = r.timestamp((r.lastTick * tenths) / 10n);
  const start = now;
  for (const [{ call, given, issues }, by] of before) {
    side.begin(now, 0);
    const made = given(now, start).map((value) => (isBag(value) ? value.object : value));
    try {
      const result = call(maker, ...made);
      if (issues) issued.add(result);
    } catch (error) {
      judged(error);
    }
    now += r.spec.tickMs * by;
  }
  side.begin(now, 0);
  const snapshot = JSON.parse(JSON.stringify(maker.snapshot())) as Plain;
  for (const one of changes) {
    change(snapshot, one);
  }
  const notBefore = from === null ? undefined : Math.min(8.64e15, now + r.spec.tickMs * from);
  // The snapshot says the fixed fields, and sno's bounds.
  const step = Object.entries(own).filter(([name]) => !fixed.includes(name) && !/^sequenceM/.test(name));
  const given = { ...Object.fromEntries(step), ...policy, snapshot, notBefore };
  const restored = run("restore", () => new Side(subject, [given], setting));
  if (restored.kind === "refusal") {
    const { code } = restored.error;
    if (changes.length === 0 || !["SNAPSHOT", "TYPE"].includes(code)) {
      defect(`refused with ${told(restored.error)}`);
    }
  } else if (restored.kind === "own") {
    expect(restored.origin === "trap", () => `ran code of its ${restored.origin}`);
  } else {
    const last = lastOf(snapshot);
    // Mostly at the tick of the snapshot, where its numbers are in use.
    const present = last >= 0 && atLast ? r.timestamp(BigInt(last)) : now;
    const spent = notBefore === undefined ? -1n : tickBefore(r, notBefore);
    const known = changes.length === 0 ? issued : undefined;
    follow(subject, restored.value as Side, snapshot, { present, spent, issued: known, after });
  }
}

/** The first IDs after a snapshot. */
function follow(
  subject: Subject,
  side: Side,
  snapshot: Plain,
  {
    present,
    spent,
    issued,
    after,
  }: { present: number; spent: bigint; issued: Issued | undefined; after: Restart["after"] },
): void {
  const { reference: r } = subject;
  const maker = side.makers[0] as AnyGenerator & {
    readonly sequenceMin?: number;
    readonly sequenceMax?: number;
  };
  let now = present;
  const check = (id: unknown) => {
    // A changed snapshot may be that of a generator with other fields.
    const { number } = idFaults(r, id).length > 0 ? { number: Number.NaN } : placeOf(subject, id);
    // A neighbour of sno's generator may have issued numbers outside its bounds.
    if (!(number >= (maker.sequenceMin ?? 0) && number <= (maker.sequenceMax ?? number))) {
      defect(`issued ${String(id)}, which is no ID, or outside the bounds`);
    }
    issued?.add(id);
  };
  for (const [past, by] of after) {
    side.begin(now, 0);
    const outcome = run("next, restored", () => maker.next());
    if (outcome.kind === "value") {
      const id = outcome.value;
      check(id);
      if (
        (issued === undefined && isSpent(subject, snapshot, id)) ||
        BigInt(placeOf(subject, id).tick) <= spent
      ) {
        defect(`issued ${String(id)}, which was spent`);
      }
    }
    // A time that the counter for given times may have passed, or not.
    const given = run("at, restored", () => maker.at(now - r.spec.tickMs * past));
    if (given.kind === "value") {
      check(given.value);
    }
    now += r.spec.tickMs * by;
  }
}
