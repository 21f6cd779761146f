/** Draws the steps for a format: options of generators, moves of clocks, sizes of batches. */
import type { Random } from "../../support/random.ts";
import { ACTS, type Act, type Policy, type Retouch, type Spend, type Step } from "./step.ts";
import type { Subject } from "./subjects.ts";
import type { Dial, Pace } from "./world.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** `alone`: no second generator may continue from another's snapshot. `close`: everything happens within a few ticks. */
export function drawing(dice: Random, subject: Subject, alone: boolean, close: boolean) {
  const { tickMs } = subject.format.layout;
  const capacity = Math.max(...subject.namings.map((naming) => naming.capacity));
  /** IDs that one tick yields, more or less. */
  const full = subject.kind === "random" ? capacity / 200 : capacity;
  const any = () => dice.below(1000);

  const delta = (): number => {
    if (close) {
      return dice.between(-12, 12) * tickMs;
    }
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
      step: frozen ? 0 : tickMs * dice.pick(close ? [0.01, 0.05, 0.2] : [0.01, 0.05, 0.2, 0.5, 1, 1, 3]),
      every: dice.pick([1, 1, 1, 4, 40]),
      jitter: dice.chance(0.25) ? tickMs * dice.pick([0.5, 2, 20]) : 0,
      other: dice.pick([0.5, 5, 5, 50]),
    };
  };

  const dial = (): Dial => ({ skew: delta(), stands: dice.chance(0.15) });

  const spend = (least: number): Spend => ({
    from: dice.chance(0.8) ? "last" : "now",
    ticks: Math.max(
      least,
      dice.pick([0, 0, 1, -1, 0.3, -0.5, dice.between(-5, 5), dice.size(close ? 5 : 40)]),
    ),
    date: dice.chance(0.2),
  });

  const act = (probability: number): Act | undefined =>
    dice.chance(probability) ? dice.pick(ACTS) : undefined;

  const policy = (): Policy => {
    const backwards = dice.pick([undefined, "throw", "wait", "hold", "tick-tock"] as const);
    const watched = dice.chance(0.3);
    const keeping = subject.unordered ? dice.pick(["keep", "threshold", "reset"] as const) : undefined;
    return defined({
      dial: any(),
      spend: dice.chance(0.06) ? spend(Number.NEGATIVE_INFINITY) : undefined,
      clockBackwards: backwards === "tick-tock" && subject.kind !== "sno" ? "hold" : backwards,
      sequenceFull: dice.pick([undefined, "throw", "wait", "wait", "borrow"] as const),
      maxWaitMs: dice.pick([undefined, undefined, 0, 1, 5.5, 20, 100, 1000]),
      maxAheadMs: dice.pick(
        close ? [undefined, 2.5 * tickMs, 5 * tickMs] : [undefined, undefined, 0, 1, 4.5, 20, 1000, HOUR],
      ),
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
    close && full < 200
      ? Math.ceil(full * dice.unit() * 8)
      : dice.chance(full < 5000 ? 0.12 : 0.03)
        ? Math.min(70_000, Math.ceil(full * dice.pick([1, 1, 2, 3]))) + dice.between(-2, 3)
        : dice.size(dice.chance(0.1) ? 8000 : 800);

  const steps: { readonly [K in Step["do"]]: () => Extract<Step, { do: K }> } = {
    clock: () => ({ do: "clock", by: delta() }),
    set: () => ({ do: "set", of: any(), dial: dial() }),
    jump: () => ({
      do: "jump",
      to: dice.weighted({ heard: 8, last: 4, start: 2, epoch: 0.3, end: 0.3 }),
      ticks: dice.chance(0.7) ? dice.between(-1, 2) : dice.between(-30, 60),
    }),
    pace: () => ({ do: "pace", pace: pace() }),
    rubbish: () => ({ do: "rubbish", after: dice.size(20) }),
    generator: () => ({ do: "generator", of: any(), policy: policy() }),
    next: () => ({ do: "next", of: any(), times: dice.size(close ? 12 : 300), text: dice.chance(0.3) }),
    many: () => ({
      do: "many",
      of: any(),
      n: Math.max(0, batch()),
      call: dice.weighted({ nextMany: 4, nextManyText: 1, nextTyped: 2 }),
    }),
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
      knows: dice.weighted({ snapshot: 6, both: 1.5, old: 1.5, time: 1.5 }),
      spend: spend(0),
      early: dice.chance(0.3),
      retouch: retouch(),
      late: !alone && dice.chance(0.15) ? dice.size(30) : -1,
      policies: Array.from({ length: alone ? 1 : dice.pick([1, 2, 3]) }, policy),
    }),
  };
  return { step: (name: Step["do"]): Step => steps[name](), dial };
}

/** The options of a generator, without undefined ones. */
function defined<T extends object>(given: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
}
