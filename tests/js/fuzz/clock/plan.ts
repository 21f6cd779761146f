/** The plan of a story. Its steps are drawn from the seed beforehand, so that shrinking can remove some. */
import { Random } from "../../support/random.ts";
import { ACTS, type Act, type Step } from "./step.ts";
import { drawing } from "./steps.ts";
import { SUBJECTS, type Subject } from "./subjects.ts";
import type { Dial, Randomness } from "./world.ts";

/** A story as data. */
export interface Plan {
  readonly seed: number;
  readonly subject: Subject;
  readonly randomness: Randomness;
  /** Whether the generators have an injected source of randomness, and what else it does. */
  readonly source: Act | undefined;
  /** Whether all identities live in one process, and end with it. */
  readonly together: boolean;
  /** Whether there is also an isolated generator with the same fields. */
  readonly isolated: boolean;
  readonly start: number;
  /** The clocks; the first one is the world's time. The generators of an identity may have different ones. */
  readonly dials: readonly Dial[];
  /** Whether the first one is the system clock. */
  readonly system: boolean;
  readonly steps: readonly Step[];
}

/** Steps within a few ticks, so that ticks spent by one step get in the way of the next. */
const CLOSE = "close";

/** Weights of the steps, by the theme of the story. */
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

/** The plan of the story with a seed. */
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
