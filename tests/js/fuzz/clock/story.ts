/** Plays the steps of a story until the end or the first defect. */
import { settled } from "../../support/scripted-clock.ts";
import { type Actor, Calls } from "./calls.ts";
import { Finding, Own } from "./finding.ts";
import type { Act, Plan, Span, Step } from "./plan.ts";
import { Processes } from "./processes.ts";
import type { Tally } from "./tally.ts";
import { STEADY, World } from "./world.ts";

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

type Plays = { readonly [K in Step["do"]]: (step: Extract<Step, { do: K }>) => void | Promise<void> };

export class Story {
  readonly #world: World;
  readonly #calls: Calls;
  readonly #processes: Processes;
  #acts = 0;
  /** Whether callbacks do nothing any more: with a clock that stays behind, each could request one more ID forever. */
  #calm = false;

  constructor(
    readonly plan: Plan,
    readonly tally: Tally,
  ) {
    this.#world = new World(plan);
    this.#calls = new Calls(this.#world, tally);
    this.#processes = new Processes(this.#calls, (act, actor) => this.#act(act, actor));
  }

  /** Plays it. Throws the first defect. */
  async play(): Promise<void> {
    const { plan, tally } = this;
    const leave = this.#world.enter();
    try {
      for (const { of, policy } of plan.generators) {
        await this.#step({ do: "generator", of, policy });
      }
      for (const step of plan.steps) {
        await this.#step(step);
      }
      await this.#end();
    } finally {
      leave();
      for (const { count, toggles, isolated } of this.#processes.identities) {
        tally.add("ids", count);
        tally.add("toggled", toggles);
        tally.add("apart", isolated ? count : 0);
      }
      tally.add("stories");
    }
  }

  async #step(step: Step): Promise<void> {
    this.#acts = 0;
    this.#world.listen();
    let waiting: unknown;
    this.#calls.quietly(() => {
      waiting = (this.#plays[step.do] as (step: Step) => unknown)(step);
    });
    await waiting;
    await this.#look();
    this.#check();
  }

  #check(): void {
    if (this.#calls.finding !== undefined) {
      throw this.#calls.finding;
    }
  }

  get #dead(): boolean {
    return this.#processes.dead !== undefined;
  }

  /** What happens in each kind of step. */
  readonly #plays: Plays = {
    clock: ({ by }) => {
      this.#world.time += this.#world.ms(by);
    },
    set: ({ of, dial }) => {
      // The first clock is the world's time.
      const others = this.#world.clocks - 1;
      if (others > 0) {
        this.#world.set(1 + (of % others), dial);
      }
    },
    jump: ({ of, to, ticks }) => {
      const { spec, format } = this.plan.subject;
      const identity = this.#processes.identity(of);
      const places = {
        epoch: spec.epoch,
        end: format.endOfLife,
        heard: identity.timeOf(identity.heard),
        last: identity.timeOf(identity.highest),
        start: this.#world.start,
      };
      this.#world.time = places[to] + this.#world.ms([ticks, "ticks"]);
    },
    pace: ({ pace }) => {
      this.#world.pace = pace;
    },
    rubbish: ({ after }) => {
      this.#world.rubbishIn = after;
    },
    generator: ({ of, policy }) => this.#processes.another(this.#processes.identity(of), policy),
    next: ({ of, times, text }) => {
      const actor = this.#processes.actor(of);
      for (let i = 0, refused = 0; i < times && refused < ENOUGH && !this.#dead; i++) {
        refused = this.#calls.issue(actor, text ? "nextText" : "next") ? 0 : refused + 1;
      }
    },
    many: ({ of, call, quarters = 0, n }) => {
      const actor = this.#processes.actor(of);
      const tick = this.#width(actor);
      // Generators of texts have no `nextTyped`.
      const there = actor.generator[call] === undefined ? "nextMany" : call;
      // A large batch takes long, as does one of many ticks.
      const full = tick > 5000 && n > 2 ? 0 : Math.ceil((quarters / 4) * tick);
      const count = Math.min(full + n, tick * MOST_TICKS, MOST_IDS);
      this.#calls.issue(actor, there, count);
    },
    async: ({ of, calls, abort }) => {
      const actor = this.#processes.actor(of);
      const controls = Array.from({ length: 3 }, () => new AbortController());
      for (const control of abort === "before" ? controls : []) {
        this.#calls.abort(control);
      }
      for (let i = 0; i < calls && !this.#dead; i++) {
        this.#calls.later(actor, controls[i % controls.length]);
      }
      if (abort === "some") {
        this.#calls.abort(controls[0] as AbortController);
      }
    },
    settle: ({ rounds, ticks }) => this.#rounds(rounds, ticks),
    abort: ({ calls }) => {
      for (let i = 0; i < calls; i++) {
        this.#abortOne();
      }
    },
    at: ({ of, times, near, spread }) => {
      const actor = this.#processes.actor(of);
      for (let i = 0; i < times && !this.#dead; i++) {
        this.#given(actor, near, spread, i);
      }
    },
    save: ({ of }) => this.#processes.save(this.#processes.actor(of)),
    restore: ({ of, saved, policy, retouch }) =>
      this.#processes.resume(this.#processes.actor(of).identity, saved, policy, retouch),
    restart: (again) => this.#processes.restart(again),
  };

  /** IDs that one tick yields, more or less: of random ones, by the mean step. */
  #width({ identity: { naming, subject }, policy }: Actor): number {
    const step = subject.kind === "random" ? 256 ** (policy.entropySize ?? 1) / 2 : 1;
    return Math.max(1, Math.floor((naming.last - naming.first + 1) / step));
  }

  /** `at`, for a time around the lowest tick issued: that of the i-th call is somewhere within the spread. */
  #given(actor: Actor, near: Span, spread: number, i: number): void {
    const { identity } = actor;
    const world = this.#world;
    const lowest = Number.isFinite(identity.lowest) ? identity.timeOf(identity.lowest) : world.time;
    const ms = lowest + world.ms(near) + world.ms([spread * (((i * 0.618) % 1) * 2 - 1), "ticks"]);
    this.#calls.at(actor, i % 5 === 4 ? new Date(Math.floor(ms)) : ms);
  }

  #abortOne(): void {
    const open = this.#calls.open.find(({ over, control }) => !over && !control.signal.aborted);
    if (open !== undefined) {
      this.#calls.abort(open.control);
    }
  }

  /** Does what a callback does. */
  #act({ act, n }: Act, actor: Actor): void {
    const calls = this.#calls;
    const processes = this.#processes;
    const { identity } = actor;
    // The timers of a dead process still fire, but must do nothing.
    const gone = !calls.actors.includes(actor);
    if (gone || this.#calm || this.#acts++ >= ACTS_PER_STEP || calls.depth > DEEPEST) {
      return;
    }
    this.tally.add("callbacks");
    const acts: { readonly [K in Act["act"]]: () => void } = {
      look: () => void actor.generator.stats(),
      next: () => calls.issue(processes.fellow(identity), n % 2 === 0 ? "next" : "nextText"),
      many: () => calls.issue(processes.fellow(identity), "nextMany", n),
      at: () => this.#given(processes.fellow(identity), [-1000, "ms"], 100, n),
      async: () => calls.later(processes.fellow(identity)),
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
      crash: () => processes.die(),
      clock: () => {
        this.#world.time += this.#world.ms([n - 10, "ticks"]);
      },
      abort: () => this.#abortOne(),
    };
    acts[act]();
  }

  /** Lets time pass for waiting calls. */
  async #rounds(count: number, ticks: number): Promise<void> {
    const world = this.#world;
    const calls = this.#calls;
    for (let i = 0; i < count && world.timers > 0 && calls.finding === undefined && !this.#dead; i++) {
      world.time += world.ms([ticks, "ticks"]);
      this.#acts = 0;
      world.listen();
      calls.depth++;
      world.fire();
      calls.depth--;
      for (const identity of this.#processes.identities) {
        identity.hear(world.heard);
      }
      await settled();
    }
  }

  /** Handles calls that have settled, and a process that has died. */
  async #look(): Promise<void> {
    const calls = this.#calls;
    if (calls.open.length > 0) {
      await settled();
      calls.open = calls.open.filter(({ over }) => !over);
    }
    for (const error of this.#world.uncaught.splice(0)) {
      if (!(error instanceof Own)) {
        const said = error instanceof Error ? error.stack : error;
        calls.found(new Finding("exception", `a timer threw ${said}`));
      }
    }
    calls.quietly(() => this.#processes.revive());
  }

  /** The clock runs; every call that still waits must end. */
  async #end(): Promise<void> {
    const calls = this.#calls;
    this.#calm = true;
    this.#world.pace = { ...STEADY, step: 1 / 8, other: 50 };
    this.#world.rubbishIn = 0;
    for (let i = 0; i < LAST_ROUNDS / 50 && calls.open.length > 0 && calls.finding === undefined; i++) {
      await this.#rounds(50, 1);
      await this.#look();
    }
    this.#check();
    if (calls.open.length > 0) {
      const said = `${calls.open.length} asynchronous calls have not ended`;
      throw new Finding("hung", `${said}, ${this.#world.timers} timers are set`);
    }
    this.#processes.count();
  }
}
