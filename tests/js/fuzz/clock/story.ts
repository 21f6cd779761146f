/** Plays the steps of a story until the end or the first defect. */
import { type Actor, Calls } from "./calls.ts";
import { Finding, Own } from "./finding.ts";
import type { Act, Plan, Span, Step } from "./plan.ts";
import { Processes } from "./processes.ts";
import type { Tally } from "./tally.ts";
import { STEADY, settled, World } from "./world.ts";

/** The most acts of callbacks in one step, and how deep they nest. */
const ACTS_PER_STEP = 8;
const DEEPEST = 2;
/** After this many consecutive refusals, a step stops. */
const ENOUGH = 20;
/** The most IDs and ticks of one call. */
const MOST_IDS = 70_000;
const MOST_TICKS = 300;
/** How often the timers fire at most at the end, until the last asynchronous call has ended. */
const LAST_ROUNDS = 5000;

/** What happens in each kind of step. */
type Plays = { readonly [K in Step["do"]]: (step: Extract<Step, { do: K }>) => void | Promise<void> };

/** Plays a story. Throws its first defect. */
export async function play(plan: Plan, tally: Tally): Promise<void> {
  const { subject } = plan;
  const { spec, format } = subject;
  const { from, n } = plan.start;
  const start =
    from === "life"
      ? spec.epoch + Math.floor((format.endOfLife - spec.epoch) * n)
      : (from === "epoch" ? spec.epoch : format.endOfLife) + n * spec.tickMs;
  const world = new World(plan, start);
  const calls = new Calls(subject, world, tally);
  const processes = new Processes(plan, world, calls, callback);
  const { dead } = processes;
  let acts = 0;
  /** Whether callbacks do nothing any more: with a clock that stays behind, each could request one more ID forever. */
  let calm = false;

  /** IDs that one tick yields, more or less: of random ones, by the mean step. */
  function tickful({ identity, policy }: Actor): number {
    const step = subject.kind === "random" ? 256 ** (policy.entropySize ?? 1) / 2 : 1;
    return Math.max(1, Math.floor(identity.issued.naming.capacity / step));
  }

  /** `at`, for times around the lowest tick issued: those of the i-th call are somewhere within the spread. */
  function given(actor: Actor, near: Span, spread: number, i: number): void {
    const { issued } = actor.identity;
    const lowest = Number.isFinite(issued.lowest) ? issued.timeOf(issued.lowest) : world.time;
    const ms = lowest + world.ms(near) + world.ms([spread * (((i * 0.618) % 1) * 2 - 1), "ticks"]);
    calls.at(actor, i % 5 === 4 ? new Date(Math.floor(ms)) : ms);
  }

  function abortOne(): void {
    const open = calls.open.find(({ over, control }) => !over && !control.signal.aborted);
    if (open !== undefined) {
      calls.abort(open);
    }
  }

  /** Does what a callback does. */
  function callback({ act, n }: Act, actor: Actor): void {
    const { identity, era } = actor;
    // The timers of a dead process still fire, but must do nothing.
    if (dead.size > 0 || era !== identity.era || calm || acts++ >= ACTS_PER_STEP || calls.depth > DEEPEST) {
      return;
    }
    tally.events.callbacks++;
    const fellow = () => processes.fellow(identity);
    const what: { readonly [K in Act["act"]]: () => void } = {
      look: () => void actor.generator.stats(),
      next: () => calls.single(fellow(), n % 2 === 1),
      many: () => calls.batch(fellow(), n, "nextMany"),
      at: () => given(fellow(), [-1000, "ms"], 100, n),
      async: () => calls.later(fellow(), false),
      throw: () => {
        throw new Own("thrown by a callback");
      },
      save: () => processes.save(actor),
      restore: () => processes.resume(identity, n, {}, {}),
      spend: () => {
        if (!processes.alone(identity)) {
          const spend = { from: "last", ticks: (n % 5) - 2, date: false, compared: n > 9 } as const;
          processes.make(identity, { spend });
        }
      },
      crash: () => processes.die(actor),
      clock: () => {
        world.time += world.ms([n - 10, "ticks"]);
      },
      abort: abortOne,
    };
    what[act]();
  }

  /** Lets time pass for waiting calls. */
  async function rounds(count: number, ticks: number): Promise<void> {
    for (let i = 0; i < count && world.timers > 0 && calls.finding === undefined && dead.size === 0; i++) {
      world.time += world.ms([ticks, "ticks"]);
      acts = 0;
      world.listen();
      calls.depth++;
      world.fire();
      calls.depth--;
      for (const { issued } of processes.identities) {
        issued.hear(world.heard);
      }
      await settled();
    }
  }

  /** Handles calls that have settled, and processes that have died. */
  async function look(): Promise<void> {
    if (calls.open.length > 0) {
      await settled();
      calls.open = calls.open.filter(({ over }) => !over);
    }
    for (const error of world.uncaught.splice(0)) {
      if (!(error instanceof Own)) {
        calls.found(
          new Finding("exception", `a timer threw ${error instanceof Error ? error.stack : error}`),
        );
      }
    }
    calls.quietly(() => processes.bury());
  }

  const plays: Plays = {
    clock: ({ by }) => {
      world.time += world.ms(by);
    },
    set: ({ of, dial }) => {
      // The first clock is the world's time.
      if (world.clocks > 1) {
        world.set(1 + (of % (world.clocks - 1)), dial);
      }
    },
    jump: ({ to, ticks }) => {
      const { issued } = processes.identity(Math.abs(ticks));
      const places = {
        epoch: spec.epoch,
        end: format.endOfLife,
        heard: issued.timeOf(issued.heard),
        last: issued.timeOf(issued.highest),
        start,
      };
      world.time = places[to] + world.ms([ticks, "ticks"]);
    },
    pace: ({ pace }) => {
      world.pace = pace;
    },
    rubbish: ({ after }) => {
      world.rubbishIn = after;
    },
    generator: ({ of, policy }) => processes.another(processes.identity(of), policy),
    next: ({ of, times, text }) => {
      const actor = processes.actor(of);
      for (let i = 0, refused = 0; i < times && refused < ENOUGH && dead.size === 0; i++) {
        refused = calls.single(actor, text) ? 0 : refused + 1;
      }
    },
    many: ({ of, call, fills = 0, n }) => {
      const actor = processes.actor(of);
      const tick = tickful(actor);
      // With few IDs in a tick, a large batch would take too long.
      calls.batch(actor, Math.min(Math.ceil(fills * tick) + n, tick * MOST_TICKS, MOST_IDS), call);
    },
    async: ({ of, calls: count, abort }) => {
      const actor = processes.actor(of);
      for (let i = 0; i < count && dead.size === 0; i++) {
        calls.later(actor, abort === "before");
      }
      for (const [i, open] of (abort === "some" ? calls.open.slice(-count) : []).entries()) {
        if (i % 3 === 0) {
          calls.abort(open);
        }
      }
    },
    settle: ({ rounds: count, ticks }) => rounds(count, ticks),
    abort: ({ calls: count }) => {
      for (let i = 0; i < count; i++) {
        abortOne();
      }
    },
    at: ({ of, times, near, spread }) => {
      const actor = processes.actor(of);
      for (let i = 0; i < times && dead.size === 0; i++) {
        given(actor, near, spread, i);
      }
    },
    save: ({ of }) => processes.save(processes.actor(of)),
    restore: ({ of, saved, policy, retouch }) =>
      processes.resume(processes.actor(of).identity, saved, policy, retouch),
    restart: ({ of, ...again }) => processes.restart(processes.identity(of), again),
  };

  /** The clock runs; every call that still waits must end. */
  async function end(): Promise<void> {
    calm = true;
    world.pace = { ...STEADY, step: 1 / 8, other: 50 };
    world.rubbishIn = 0;
    for (let i = 0; i < LAST_ROUNDS / 50 && calls.open.length > 0 && calls.finding === undefined; i++) {
      await rounds(50, 1);
      await look();
    }
    if (calls.open.length > 0) {
      const said = `${calls.open.length} asynchronous calls have not ended, ${world.timers} timers are set`;
      calls.found(new Finding("hung", said));
    }
    for (const identity of processes.identities) {
      calls.quietly(() => processes.count(identity));
    }
  }

  const leave = world.enter();
  try {
    const generators = plan.generators.map((given) => ({ do: "generator", ...given }) as const);
    for (const step of [...generators, ...plan.steps]) {
      acts = 0;
      world.listen();
      let waiting: unknown;
      calls.quietly(() => {
        waiting = (plays[step.do] as (step: Step) => unknown)(step);
      });
      await waiting;
      await look();
      if (calls.finding !== undefined) {
        throw calls.finding;
      }
    }
    await end();
    if (calls.finding !== undefined) {
      throw calls.finding;
    }
  } finally {
    leave();
    for (const { issued, isolated } of processes.identities) {
      tally.events.apart += isolated ? issued.count : 0;
      tally.events.toggled += issued.toggles;
      tally.ids += issued.count;
    }
    tally.stories++;
  }
}
