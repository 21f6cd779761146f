/** Cases for restoring: a changed snapshot is refused, or the generator continues from it. */
import { types } from "node:util";
import fc from "fast-check";
import type { AnyGenerator } from "../../support/any-format.ts";
import { idFaults, inspected, integerOf } from "../../support/expected.ts";
import type { Subject } from "../../support/subjects.ts";
import { rightOptions, tickBefore } from "./options.ts";
import { expect, judged, picture, run, told } from "./outcomes.ts";
import { capacityOf, Issued, Side } from "./scripted-generator.ts";
import { anything, constant, number, revoked, trapped } from "./values.ts";

type Plain = Record<string, unknown>;

/** Whether something in a snapshot can be changed. */
const isOpen = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !types.isProxy(value) && !Object.isFrozen(value);

/** What becomes of a value of a snapshot: it grows by a number, or something else takes its place. */
type Edit = number | ((old?: object) => unknown);

const near = fc.tuple(fc.nat(53), fc.nat(1)).map(([bits, less]) => 2 ** bits - less);
const others: fc.Arbitrary<() => unknown> = fc.oneof(anything, constant(number), constant(near));
const edits = fc.oneof<fc.MaybeWeightedArbitrary<Edit>[]>(
  { weight: 3, arbitrary: others },
  fc.constantFrom(1, -1, 0.5, 2 ** 16),
  fc.constantFrom(revoked, trapped),
);

/** A change of one value of a snapshot, or of a part of it. */
const changes = fc
  .tuple(
    fc.constantFrom(undefined, undefined, "at", "fields", "layout"),
    fc.oneof(
      { weight: 4, arbitrary: fc.nat() },
      fc.constantFrom("left", "sequence", "last", "wallHi", "bogus"),
    ),
    fc.option(edits, { freq: 8 }),
  )
  .map(([part, key, edit]) => (snapshot: Plain) => {
    const inner = part === undefined ? undefined : snapshot[part];
    const target = isOpen(inner) ? inner : snapshot;
    const keys = Object.keys(target);
    const name = typeof key === "string" ? key : (keys[key % keys.length] ?? "bogus");
    const old = target[name];
    Reflect.deleteProperty(target, name);
    if (edit !== null) {
      const grown = typeof old === "number" ? old + Number(edit) : null;
      const value = typeof edit === "number" ? grown : edit(isOpen(old) ? old : undefined);
      Object.defineProperty(target, name, { enumerable: true, configurable: true, writable: true, value });
    }
  });

/** The place of an ID: the tick, the number in it, and sno's tick-tock bit. */
function placeOf({ reference: r, counter }: Subject, id: unknown) {
  const { ticks, [counter]: number, tickTock = 0 } = inspected(r, integerOf(r, id)) as Record<string, number>;
  return { ticks: ticks as number, number: number as number, tickTock };
}

/** The last tick of a snapshot. */
const lastOf = ({ last, wallHi }: Plain): number => Number(last ?? wallHi);

/** Whether an ID must not follow a snapshot. */
function isSpent(subject: Subject, snapshot: Plain, id: unknown): boolean {
  const { ticks, number, tickTock } = placeOf(subject, id);
  const [last, sequence] = [lastOf(snapshot), Number(snapshot.sequence)];
  const { name } = subject.reference.spec;
  // With "keep" or a threshold, the sequence rolls over within a millisecond.
  const isBehind = name === "snowflake-si" ? number === sequence : last >= 0 && number <= sequence;
  const isOther = name === "sno" && tickTock !== Number(snapshot.drifts) % 2;
  return !isOther && (ticks < last || (ticks === last && isBehind));
}

type Restart = ReturnType<typeof restarts> extends fc.Arbitrary<infer T> ? T : never;

const restarts = (subject: Subject) =>
  fc.record({
    own: rightOptions(subject),
    sequenceFull: fc.constantFrom("throw", "borrow"),
    clockBackwards: fc.constantFrom(
      "throw",
      "hold",
      ...(subject.reference.spec.name === "sno" ? ["tick-tock"] : []),
    ),
    tenths: fc.bigInt({ min: 0n, max: 10n }),
    /** Batches before the snapshot, or an ID for a given time; and the ticks to the next one. */
    before: fc.array(fc.tuple(fc.option(fc.nat(60), { freq: 3 }), fc.constantFrom(0, 0, 1, 2, -1)), {
      maxLength: 6,
    }),
    changes: fc.array(changes, { maxLength: 2 }),
    /** `notBefore`, in ticks from the snapshot. */
    from: fc.constantFrom(null, null, null, null, -1, 0, 0.5, 1, 4),
    atLast: fc.boolean(),
    /** Ticks back to the time that is given to `at`, and on to the next ID. */
    after: fc.array(fc.tuple(fc.nat(2000), fc.constantFrom(0, 0, 0, 1, 5)), { minLength: 6, maxLength: 6 }),
  });

/** Cases of one subject. */
export const snapshots = (subject: Subject): fc.Arbitrary<() => void> =>
  restarts(subject).map((restart) => () => {
    try {
      play(subject, restart);
    } catch (error) {
      throw new Error(`${subject.label}, ${picture(restart)}`, { cause: error });
    }
  });

function play(subject: Subject, restart: Restart): void {
  const { own, sequenceFull, clockBackwards, tenths, before, changes, from } = restart;
  const { reference: r, fixed } = subject;
  const policy = { sequenceFull, clockBackwards, maxWaitMs: 0 };
  const side = new Side(subject, [{ ...own, ...policy }], { isolated: true });
  const issued = new Issued(subject, own);
  let now = r.timestamp((r.lastTick * tenths) / 10n);
  for (const [n, by] of before) {
    side.begin(now, 0);
    try {
      const { maker } = side;
      issued.add(n === null ? maker.at(now - 5000) : maker.nextMany(n % capacityOf(subject, own)));
    } catch (error) {
      judged(error);
    }
    now += r.spec.tickMs * by;
  }
  side.begin(now, 0);
  const snapshot = JSON.parse(JSON.stringify(side.maker.snapshot())) as Plain;
  for (const change of changes) {
    change(snapshot);
  }
  const notBefore = from === null ? undefined : Math.min(8.64e15, now + r.spec.tickMs * from);
  // The snapshot says the fixed fields, and sno's bounds.
  const step = Object.entries(own).filter(([name]) => !fixed.includes(name) && !/^sequenceM/.test(name));
  const given = { ...Object.fromEntries(step), ...policy, snapshot, notBefore };
  const restored = run("restore", () => new Side(subject, [given], { isolated: true }));
  if (restored.kind === "refusal") {
    const may = changes.length > 0 && ["SNAPSHOT", "TYPE"].includes(restored.error.code);
    expect(may, () => `refused with ${told(restored.error)}`);
  } else if (restored.kind === "own") {
    expect(restored.origin === "trap", () => `ran code of its ${restored.origin}`);
  } else {
    const spent = notBefore === undefined ? -1n : tickBefore(r, notBefore);
    const known = { snapshot, now, spent, issued: changes.length === 0 ? issued : undefined };
    follow(subject, restored.value as Side, restart, known);
  }
}

/** What is known of the time before: `spent` ticks by `notBefore`; and the IDs of a snapshot that is not changed. */
interface Known {
  readonly snapshot: Plain;
  readonly now: number;
  readonly spent: bigint;
  readonly issued: Issued | undefined;
}

/** The first IDs after a snapshot. */
function follow(subject: Subject, side: Side, { atLast, after }: Restart, known: Known): void {
  const { snapshot, spent, issued } = known;
  const { reference: r } = subject;
  const maker = side.maker as AnyGenerator & Partial<Record<"sequenceMin" | "sequenceMax", number>>;
  const last = lastOf(snapshot);
  // Often at the tick of the snapshot, where its numbers are in use.
  let now = last >= 0 && atLast ? r.timestamp(BigInt(last)) : known.now;
  /** An ID, or undefined. Its bounds count: a neighbour of sno's generator may have issued numbers outside. */
  const issue = (name: string, call: () => unknown): unknown => {
    const outcome = run(name, call);
    const id = outcome.kind === "value" ? outcome.value : undefined;
    if (id !== undefined) {
      // A changed snapshot may be that of a generator with other fields.
      const number = idFaults(r, id).length === 0 ? placeOf(subject, id).number : Number.NaN;
      const isOwn = number >= (maker.sequenceMin ?? 0) && number <= (maker.sequenceMax ?? number);
      expect(isOwn, () => `${name} answers ${String(id)}, outside the bounds`);
      issued?.add(id);
    }
    return id;
  };
  for (const [past, by] of after) {
    side.begin(now, 0);
    const id = issue("next, restored", () => maker.next());
    if (id !== undefined) {
      const isLate = BigInt(placeOf(subject, id).ticks) > spent;
      expect(isLate && !isSpent(subject, snapshot, id), () => `issued ${String(id)}, which was spent`);
    }
    // A time that the counter for given times may have passed, or not.
    issue("at, restored", () => maker.at(now - r.spec.tickMs * past));
    now += r.spec.tickMs * by;
  }
}
