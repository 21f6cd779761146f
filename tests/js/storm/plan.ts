/** What happens in a story: steps drawn from its seed beforehand, so that some can be left out again. */
import { Dice } from "./dice.ts";
import { SUBJECTS, type Subject } from "./subjects.ts";
import type { Pace, Randomness } from "./world.ts";

/** What a callback, or an injected source of randomness, does beside its work. */
export const ACTS = [
  "look",
  "next",
  "many",
  "at",
  "async",
  "throw",
  "save",
  "restore",
  "crash",
  "clock",
  "abort",
] as const;
export type Act = (typeof ACTS)[number];

/** A generator's own options; the identity's are not among them. */
export interface Policy {
  readonly clockBackwards?: "throw" | "wait" | "hold" | "tick-tock";
  readonly sequenceFull?: "throw" | "wait" | "borrow";
  readonly maxWaitMs?: number;
  readonly maxAheadMs?: number;
  readonly onBack?: Act;
  readonly onFull?: Act;
  readonly entropySize?: number;
  readonly onNewMillisecond?: "reset" | "keep";
  readonly sequenceResetThreshold?: number;
}

/** How a snapshot is changed before it is used, as its owner may. */
export interface Retouch {
  /** Sequences moved up to so many before their end. */
  readonly near?: number;
  /** The counter behind `at` left out. */
  readonly dropAt?: boolean;
  /** sno: the partition as two bytes, `now` left out, `drifts` shortly before it wraps. */
  readonly plain?: boolean;
}

/** One step. Numbers that choose among what there is are taken modulo how many there are. */
export type Step =
  | { readonly do: "clock"; readonly by: number }
  | { readonly do: "jump"; readonly to: "epoch" | "end" | "heard" | "last" | "start"; readonly ticks: number }
  | { readonly do: "pace"; readonly pace: Pace }
  | { readonly do: "rubbish"; readonly after: number }
  | { readonly do: "generator"; readonly of: number; readonly policy: Policy }
  | { readonly do: "next"; readonly of: number; readonly times: number; readonly text: boolean }
  | { readonly do: "many"; readonly of: number; readonly n: number; readonly text: boolean }
  | {
      readonly do: "async";
      readonly of: number;
      readonly calls: number;
      readonly abort: "never" | "before" | "some";
    }
  | { readonly do: "settle"; readonly rounds: number; readonly ticks: number }
  | { readonly do: "abort"; readonly calls: number }
  | {
      readonly do: "at";
      readonly of: number;
      readonly times: number;
      readonly near: number;
      readonly spread: number;
    }
  | { readonly do: "save"; readonly of: number }
  | {
      readonly do: "restore";
      readonly of: number;
      readonly saved: number;
      readonly policy: Policy;
      readonly retouch: Retouch;
    }
  | {
      readonly do: "restart";
      readonly of: number;
      readonly retouch: Retouch;
      /** IDs made by a fresh generator, later than all before, until the snapshot is there; -1 for none. */
      readonly late: number;
      readonly policies: readonly Policy[];
    };

/** A story: who, when, and what. */
export interface Plan {
  readonly seed: number;
  readonly subject: Subject;
  readonly randomness: Randomness;
  /** Whether the generators have a source of randomness of their own, and what else it does. */
  readonly source: Act | undefined;
  readonly start: number;
  readonly steps: readonly Step[];
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Weights of the steps, by what a story is mostly about. */
const THEMES: Readonly<Record<string, Readonly<Record<Step["do"], number>>>> = {
  mixed: {
    clock: 8,
    jump: 2,
    pace: 4,
    rubbish: 0.3,
    generator: 2,
    next: 10,
    many: 8,
    async: 3,
    settle: 4,
    abort: 0.5,
    at: 1.5,
    save: 1.5,
    restore: 1,
    restart: 1,
  },
  rewinds: {
    clock: 14,
    jump: 3,
    pace: 3,
    rubbish: 0.3,
    generator: 2,
    next: 12,
    many: 5,
    async: 1,
    settle: 2,
    abort: 0.2,
    at: 0.5,
    save: 1,
    restore: 1,
    restart: 2,
  },
  restarts: {
    clock: 8,
    jump: 2,
    pace: 2,
    rubbish: 0.2,
    generator: 1,
    next: 8,
    many: 5,
    async: 2,
    settle: 2,
    abort: 0.3,
    at: 2,
    save: 4,
    restore: 4,
    restart: 6,
  },
  async: {
    clock: 5,
    jump: 1,
    pace: 4,
    rubbish: 0.5,
    generator: 3,
    next: 5,
    many: 3,
    async: 12,
    settle: 14,
    abort: 3,
    at: 0.5,
    save: 1,
    restore: 0.5,
    restart: 0.7,
  },
  given: {
    clock: 5,
    jump: 2,
    pace: 2,
    rubbish: 0.2,
    generator: 1,
    next: 6,
    many: 3,
    async: 1,
    settle: 2,
    abort: 0.2,
    at: 14,
    save: 2,
    restore: 2,
    restart: 2,
  },
  volume: {
    clock: 2,
    jump: 0.3,
    pace: 2,
    rubbish: 0.05,
    generator: 1,
    next: 3,
    many: 20,
    async: 0.5,
    settle: 1,
    abort: 0.1,
    at: 0.3,
    save: 0.3,
    restore: 0.3,
    restart: 0.5,
  },
};

/** The plan of the story that a seed stands for. */
export function planOf(format: string, seed: number): Plan {
  const dice = new Dice(seed);
  const dress = SUBJECTS[format];
  if (dress === undefined) {
    throw new Error(`no format is called ${format}`);
  }
  const subject = dress(dice);
  const { epoch, endOfLife, layout } = subject.format;
  const { tickMs } = layout;
  const theme = THEMES[dice.weighted({ mixed: 5, rewinds: 3, restarts: 3, async: 2, given: 1, volume: 1.5 })];
  const place = dice.weighted({ middle: 20, epoch: 2, end: 3 });
  const start =
    place === "epoch"
      ? epoch + dice.between(-3, 60) * tickMs
      : place === "end"
        ? endOfLife - dice.size(400) * tickMs
        : epoch + Math.floor((endOfLife - epoch) * (0.05 + 0.8 * dice.unit()));
  const source = subject.kind === "random" && dice.chance(0.25) ? dice.pick(ACTS) : undefined;
  const draw = drawing(dice, subject, source !== undefined);
  const steps: Step[] = [draw.step("pace")];
  for (const _ of subject.namings) {
    for (let i = dice.pick([1, 1, 2, 2, 3, 4]); i > 0; i--) {
      steps.push(draw.step("generator"));
    }
  }
  for (let i = 4 + dice.size(60); i > 0; i--) {
    steps.push(draw.step(dice.weighted(theme as Record<Step["do"], number>)));
  }
  const randomness = dice.weighted({ fair: 6, high: 1, low: 1 });
  return { seed, subject, randomness, source, start, steps };
}

/** Drawing of steps for a subject. */
function drawing(dice: Dice, subject: Subject, alone: boolean) {
  const { tickMs } = subject.format.layout;
  const capacity = Math.max(...subject.namings.map((naming) => naming.capacity));
  /** IDs that one tick yields, more or less. */
  const full = subject.kind === "random" ? capacity / 200 : capacity;
  const any = () => dice.below(1000);

  const delta = (): number => {
    const amount = dice.weighted({
      fraction: 2,
      tick: 4,
      few: 4,
      bound: 2,
      second: 2,
      ten: 1,
      hour: 1,
      day: 0.5,
    });
    const ms = {
      fraction: dice.unit(),
      tick: dice.pick([1, tickMs, tickMs - 0.5, tickMs + 1]),
      few: dice.size(50) * tickMs,
      bound: dice.between(90, 110),
      second: 1000 + dice.between(-2, 2),
      ten: 10_000 + dice.between(-2, 2) * tickMs,
      hour: HOUR,
      day: DAY * dice.size(30),
    }[amount];
    return dice.chance(0.55) ? ms : -ms;
  };

  const pace = (): Pace => {
    const frozen = dice.chance(0.25);
    return {
      step: frozen ? 0 : tickMs * dice.pick([0.01, 0.05, 0.2, 0.5, 1, 1, 3]),
      every: dice.pick([1, 1, 1, 4, 40]),
      jitter: dice.chance(0.25) ? tickMs * dice.pick([0.5, 2, 20]) : 0,
      other: dice.pick([0.5, 5, 5, 50]),
    };
  };

  const act = (probability: number): Act | undefined =>
    dice.chance(probability) ? dice.pick(ACTS) : undefined;

  const policy = (): Policy => {
    const backwards = dice.pick([undefined, "throw", "wait", "hold", "tick-tock"] as const);
    const watched = dice.chance(0.3);
    const keeping = subject.unordered ? dice.pick(["keep", "threshold", "reset"] as const) : undefined;
    return defined({
      clockBackwards: backwards === "tick-tock" && subject.kind !== "sno" ? "hold" : backwards,
      sequenceFull: dice.pick([undefined, "throw", "wait", "wait", "borrow"] as const),
      maxWaitMs: dice.pick([undefined, undefined, 0, 1, 5.5, 20, 100, 1000]),
      maxAheadMs: dice.pick([undefined, undefined, 0, 1, 4.5, 20, 1000, HOUR]),
      onBack: watched ? act(0.7) : undefined,
      onFull: watched ? act(0.7) : undefined,
      entropySize: subject.entropy > 0 ? dice.pick([undefined, 1, 1, subject.entropy]) : undefined,
      onNewMillisecond: keeping === "keep" ? keeping : undefined,
      sequenceResetThreshold: keeping === "threshold" ? dice.below(capacity) : undefined,
    });
  };

  const retouch = (): Retouch =>
    defined({
      near: dice.chance(0.4) ? dice.below(4) : undefined,
      dropAt: dice.chance(0.08) || undefined,
      plain: dice.chance(0.15) || undefined,
    });

  const batch = (): number =>
    dice.chance(full < 5000 ? 0.12 : 0.03)
      ? Math.min(70_000, Math.ceil(full * dice.pick([1, 1, 2, 3]))) + dice.between(-2, 3)
      : dice.size(dice.chance(0.1) ? 8000 : 800);

  const steps: { readonly [K in Step["do"]]: () => Extract<Step, { do: K }> } = {
    clock: () => ({ do: "clock", by: delta() }),
    jump: () => ({
      do: "jump",
      to: dice.weighted({ heard: 8, last: 4, start: 2, epoch: 0.3, end: 0.3 }),
      ticks: dice.chance(0.7) ? dice.between(-1, 2) : dice.between(-30, 60),
    }),
    pace: () => ({ do: "pace", pace: pace() }),
    rubbish: () => ({ do: "rubbish", after: dice.size(20) }),
    generator: () => ({ do: "generator", of: any(), policy: policy() }),
    next: () => ({ do: "next", of: any(), times: dice.size(300), text: dice.chance(0.3) }),
    many: () => ({ do: "many", of: any(), n: Math.max(0, batch()), text: dice.chance(0.15) }),
    async: () => ({
      do: "async",
      of: any(),
      calls: dice.size(40),
      abort: dice.weighted({ never: 6, before: 0.5, some: 2 }),
    }),
    settle: () => ({ do: "settle", rounds: dice.size(12), ticks: dice.pick([0, 0.3, 1, 1, 2, 10]) }),
    abort: () => ({ do: "abort", calls: dice.size(10) }),
    at: () => ({
      do: "at",
      of: any(),
      times: dice.size(60),
      near: dice.pick([-DAY * 400, -HOUR, -1000, -5 * tickMs, 0, tickMs, 20 * tickMs]),
      spread: tickMs * dice.pick([0, 1, 3, 40, 100_000]),
    }),
    save: () => ({ do: "save", of: any() }),
    restore: () => ({ do: "restore", of: any(), saved: any(), policy: policy(), retouch: retouch() }),
    restart: () => ({
      do: "restart",
      of: any(),
      retouch: retouch(),
      late: !alone && dice.chance(0.15) ? dice.size(30) : -1,
      policies: Array.from({ length: alone ? 1 : dice.pick([1, 2, 3]) }, policy),
    }),
  };
  return { step: (name: Step["do"]): Step => steps[name]() };
}

/** Without what is left out: the options of a generator, as one would write them. */
function defined<T extends object>(given: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
}
