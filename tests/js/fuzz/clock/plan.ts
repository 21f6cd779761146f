/** What happens in a story: steps drawn from its seed beforehand, so that some can be left out again. */
import { Random } from "../../support/random.ts";
import { drawing } from "./steps.ts";
import { SUBJECTS, type Subject } from "./subjects.ts";
import type { Dial, Pace, Randomness } from "./world.ts";

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
  "spend",
  "crash",
  "clock",
  "abort",
] as const;
export type Act = (typeof ACTS)[number];

/** A `notBefore`: so many ticks after a place, fractions among them. */
export interface Spend {
  /** The tick after the last one given out, or what the world's time is. */
  readonly from: "last" | "now";
  readonly ticks: number;
  /** Whether it is given as a `Date`. */
  readonly date: boolean;
}

/** A generator's own options; the identity's are not among them. */
export interface Policy {
  /** Which of the story's clocks it reads. */
  readonly dial?: number;
  readonly spend?: Spend;
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
  | { readonly do: "set"; readonly of: number; readonly dial: Dial }
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
      /**
       * What the next process knows: the last state of the one before, also with a `notBefore`; an older state and a
       * `notBefore` after all that was given out; only that.
       */
      readonly knows: "snapshot" | "both" | "old" | "time";
      /** The `notBefore`, if it has one. */
      readonly spend: Spend;
      /** Whether its other generators are made before the one that knows. */
      readonly early: boolean;
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
  /** Whether all identities live in one process, and end with it. */
  readonly together: boolean;
  /** Whether there is an isolated generator beside the others, with the same fields. */
  readonly isolated: boolean;
  readonly start: number;
  /** The clocks, the first of which is the world's time. Every generator of an identity may have another one. */
  readonly dials: readonly Dial[];
  /** Whether the first of them is the system's. */
  readonly system: boolean;
  readonly steps: readonly Step[];
}

/** A story of steps within a few ticks, so that what one of them spends is in the way of the next. */
const CLOSE = "close";

/** Weights of the steps, by what a story is mostly about. */
const THEMES: Readonly<Record<string, Readonly<Record<Step["do"], number>>>> = {
  mixed: {
    clock: 8,
    set: 2,
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
    set: 4,
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
    set: 2,
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
    set: 2,
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
    set: 1,
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
  [CLOSE]: {
    clock: 16,
    set: 4,
    jump: 1,
    pace: 3,
    rubbish: 0.1,
    generator: 1,
    next: 14,
    many: 8,
    async: 2,
    settle: 2,
    abort: 0.1,
    at: 0.3,
    save: 1,
    restore: 1,
    restart: 1.5,
  },
  volume: {
    clock: 2,
    set: 0.5,
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
  const dice = new Random(seed);
  const dress = SUBJECTS[format];
  if (dress === undefined) {
    throw new Error(`no format is called ${format}`);
  }
  const subject = dress(dice);
  const { epoch, endOfLife, layout } = subject.format;
  const { tickMs } = layout;
  const theme = dice.weighted({
    mixed: 5,
    rewinds: 3,
    restarts: 3,
    async: 2,
    given: 1,
    [CLOSE]: 3,
    volume: 1.5,
  });
  const place = dice.weighted({ middle: 20, epoch: 2, end: 3 });
  const start =
    place === "epoch"
      ? epoch + dice.between(-3, 60) * tickMs
      : place === "end"
        ? endOfLife - dice.size(400) * tickMs
        : epoch + Math.floor((endOfLife - epoch) * (0.05 + 0.8 * dice.unit()));
  const source = subject.kind === "random" && dice.chance(0.25) ? dice.pick(ACTS) : undefined;
  const draw = drawing(dice, subject, source !== undefined, theme === CLOSE);
  const dials = [
    { skew: 0, stands: false },
    ...Array.from({ length: dice.pick([0, 0, 1, 1, 2, 3]) }, () => draw.dial()),
  ];
  const steps: Step[] = [draw.step("pace")];
  for (const _ of subject.namings) {
    for (let i = dice.pick([1, 1, 2, 2, 3, 4]); i > 0; i--) {
      steps.push(draw.step("generator"));
    }
  }
  for (let i = 4 + dice.size(60); i > 0; i--) {
    steps.push(draw.step(dice.weighted(THEMES[theme] as Record<Step["do"], number>)));
  }
  const randomness = dice.weighted({ fair: 6, high: 1, low: 1 });
  const together = dice.chance(0.5);
  const isolated = source === undefined && dice.chance(0.25);
  const system = dice.chance(0.3);
  return { seed, subject, randomness, source, together, isolated, start, dials, system, steps };
}
