/** The default of each option, found out by using generators without it. */
import assert from "node:assert/strict";
import type { FormatFacts } from "../support/make.ts";
import { madeOf, NOON, numbers, refusal, scripted } from "./facts-makes.ts";

type Options = Readonly<Record<string, unknown>>;

/** The tick of a format that the tests make. */
const tickOf = (one: FormatFacts): number => madeOf(one).layout.tickMs;

/** What a generator does when its clock goes back by `ms`, and then runs. */
function steppedBack(one: FormatFacts, ms: number, options: Options = {}): string {
  const clock = { now: NOON, step: 0 };
  const read = () => {
    clock.now += clock.step;
    return clock.now;
  };
  const { ids } = scripted(one, { ...options, clock: read });
  const { inspect } = madeOf(one);
  const before = inspect(ids.next());
  clock.now -= ms;
  clock.step = tickOf(one) / 4;
  const found = { code: "", toggled: 0, ticks: 0 };
  found.code =
    refusal(() => {
      const after = inspect(ids.next());
      Object.assign(found, { toggled: after.tickTock ?? 0, ticks: Math.sign(after.ticks - before.ticks) });
    }).code ?? "";
  return [found.code, found.toggled, found.ticks, clock.now >= NOON].join();
}

/** What it does when a tick is full: refuse, give an ID at once, or read the clock until the next tick. */
function filled(one: FormatFacts, options: Options = {}): string {
  const isRandom = one.fields?.some(({ role }) => role === "random");
  const few = one.name === "sno" ? { sequenceMin: 0, sequenceMax: 3 } : {};
  // Every draw is the largest, so one ID fills the tick.
  const most = isRandom ? { random: (bytes: Uint8Array) => void bytes.fill(255) } : {};
  const clock = { now: NOON, step: 0 };
  const read = () => {
    clock.now += clock.step;
    return clock.now;
  };
  const { ids } = scripted(one, { ...few, ...most, ...options, clock: read });
  const perTick = one.name === "sno" ? 3 : isRandom ? 1 : madeOf(one).capacity;
  ids.nextMany(perTick);
  clock.step = tickOf(one) / 4;
  if (one.name === "sno") ids.next();
  const from = clock.now;
  const { code } = refusal(() => ids.next());
  return code ?? (clock.now - from > tickOf(one) / 2 ? "waits" : "at once");
}

/** The word with which a generator does what it does without it; the words differ in that. */
function likeWhich(words: readonly string[], behaviour: (word?: string) => string): string | undefined {
  const seen = words.map(behaviour);
  assert.equal(new Set(seen).size, words.length, seen.join(" | "));
  return words[seen.indexOf(behaviour())];
}

const wordsOf = ({ options }: FormatFacts, name: string): readonly string[] =>
  options.find((option) => option.name === name)?.words ?? [];

/** The sequence of the first ID of a new tick, after two in the tick before. */
function afresh(one: FormatFacts): unknown {
  const { clock, ids } = scripted(one);
  ids.nextMany(2);
  clock.now += tickOf(one);
  return madeOf(one).inspect(ids.next()).sequence;
}

/** The default of each option, found out by what happens without it. */
export const DEFAULTS: Readonly<Record<string, (one: FormatFacts, absent: unknown) => unknown>> = {
  clockBackwards: (one) =>
    likeWhich(wordsOf(one, "clockBackwards"), (word) =>
      steppedBack(one, 80, word === undefined ? {} : { clockBackwards: word }),
    ),
  sequenceFull: (one) =>
    likeWhich(wordsOf(one, "sequenceFull"), (word) =>
      filled(one, word === undefined ? {} : { sequenceFull: word }),
    ),
  maxWaitMs(one, absent) {
    const most = absent as number;
    const after = (ms: number) => steppedBack(one, ms, { clockBackwards: "wait" });
    const tick = tickOf(one);
    assert.match(after(most - tick), /^,/);
    assert.match(after(most + 2 * tick), /^CLOCK_BACKWARDS,/);
    return most;
  },
  maxAheadMs(one, absent) {
    const most = absent as number;
    const after = (ms: number) => steppedBack(one, ms, { clockBackwards: "hold", maxWaitMs: 0 });
    const tick = tickOf(one);
    assert.match(after(most - tick), /^,/);
    assert.match(after(most + 2 * tick), /^CLOCK_BACKWARDS,/);
    return most;
  },
  isolated(one) {
    const [a, b] = [1, 2].map(() => madeOf(one).generator(numbers(one)));
    const before = b?.stats().issued;
    a?.next();
    return b?.stats().issued === before;
  },
  sequenceMin: (one) => (scripted(one).ids as unknown as Options).sequenceMin,
  sequenceMax: (one) => (scripted(one).ids as unknown as Options).sequenceMax,
  scalability: (one) => madeOf(one).inspect(scripted(one).ids.next()).scalability,
  entropySize(one) {
    const drawn: number[] = [];
    const random = (bytes: Uint8Array) => {
      drawn.push(bytes.length);
      bytes.fill(1);
    };
    scripted(one, { random }).ids.nextMany(2);
    return drawn[1];
  },
  onNewMillisecond: (one) => (afresh(one) === 0 ? "reset" : "keep"),
  sequenceResetThreshold: afresh,
};
