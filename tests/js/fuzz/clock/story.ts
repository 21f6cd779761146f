/** Plays the steps of a story until the end or the first defect. */
import type { Actor } from "./actors.ts";
import { Finding, Own } from "./finding.ts";
import { SAVED } from "./processes.ts";
import { Restarts } from "./restarts.ts";
import type { Act, Step } from "./step.ts";
import { STEADY, settled } from "./world.ts";

/** The most acts of callbacks in one step, and how deep they nest. */
const ACTS_PER_STEP = 8;
const DEEPEST = 2;
/** After this many consecutive refusals, a step stops. */
const ENOUGH = 20;
/** The most ticks of one call. */
const MOST_TICKS = 300;
/** How often the timers fire at most at the end, until the last asynchronous call has ended. */
const LAST_ROUNDS = 5000;

/** How a process continues that has died during a call. */
const CRASHED = {
  knows: "snapshot",
  spend: { from: "last", ticks: 0, date: false },
  early: false,
  retouch: {},
  late: -1,
} as const;

export class Story extends Restarts {
  #acts = 0;
  /** Whether callbacks do nothing any more: with a clock that stays behind, each could request one more ID forever. */
  #calm = false;
  /** Index of the current step. */
  at = -1;

  /** Plays it. A defect is then in `finding`. */
  async tell(): Promise<void> {
    const { plan, world } = this;
    const { seed, start, dials, randomness } = plan;
    world.enter(seed, start, dials, randomness, this.subject.kind === "random");
    try {
      for (const step of plan.steps) {
        this.at++;
        this.#acts = 0;
        world.listen();
        this.quietly(() => this.#take(step));
        if (step.do === "settle") {
          await this.#rounds(step.rounds, step.ticks);
        }
        await this.#look();
        if (this.finding !== undefined) {
          return;
        }
      }
      await this.#end();
    } finally {
      world.leave();
      for (const { issued, isolated } of this.identities) {
        this.tally.events.apart += isolated ? issued.count : 0;
        this.tally.ids += issued.count;
        this.tally.events.toggled += issued.toggles;
      }
      this.tally.stories++;
    }
  }

  #take(step: Step): void {
    const { plan, world } = this;
    if (step.do === "clock") {
      world.time += step.by;
    } else if (step.do === "set") {
      // The first clock is the world's time.
      const others = plan.dials.length - 1;
      if (others > 0) {
        world.set(1 + (step.of % others), step.dial);
      }
    } else if (step.do === "jump") {
      world.time = this.#place(step.to) + step.ticks * this.subject.format.layout.tickMs;
    } else if (step.do === "pace") {
      world.pace = step.pace;
    } else if (step.do === "rubbish") {
      world.rubbishIn = step.after;
    } else if (step.do === "generator") {
      this.another(this.identity(step.of), step.policy);
    } else if (step.do === "restart") {
      this.restart(this.identity(step.of), undefined, step);
    } else if (step.do === "abort") {
      for (let i = 0; i < step.calls; i++) {
        this.#abortOne();
      }
    } else if (step.do !== "settle") {
      this.#call(step, this.actor(step.of));
    }
  }

  /** The steps that call a generator. */
  #call(
    step: Extract<Step, { do: "next" | "many" | "async" | "at" | "save" | "restore" }>,
    actor: Actor,
  ): void {
    if (step.do === "next") {
      for (let i = 0, refused = 0; i < step.times && refused < ENOUGH && this.dead.size === 0; i++) {
        refused = this.single(actor, step.text) ? 0 : refused + 1;
      }
    } else if (step.do === "many") {
      // With few IDs in a tick, a large batch would take too long.
      this.batch(actor, Math.min(step.n, this.#tickful(actor) * MOST_TICKS), step.call);
    } else if (step.do === "async") {
      for (let i = 0; i < step.calls && this.dead.size === 0; i++) {
        this.later(actor, step.abort === "before");
      }
      for (const open of step.abort === "some" ? this.open.slice(-step.calls) : []) {
        if (this.dice.chance(0.3)) {
          this.abort(open.control);
        }
      }
    } else if (step.do === "at") {
      for (let i = 0; i < step.times && this.dead.size === 0; i++) {
        this.#given(actor, step.near, step.spread);
      }
    } else if (step.do === "save") {
      this.save(actor);
    } else {
      this.resume(actor.identity, step.saved, step.policy, step.retouch);
    }
  }

  /** IDs that one tick yields, more or less: of random ones, by the mean step. */
  #tickful({ identity, policy }: Actor): number {
    const { capacity } = identity.naming;
    const step = this.subject.kind === "random" ? 256 ** (policy.entropySize ?? 1) / 2 : 1;
    return Math.max(1, Math.floor(capacity / step));
  }

  #place(to: Extract<Step, { do: "jump" }>["to"]): number {
    const { format } = this.subject;
    const { issued } = this.dice.pick(this.identities);
    const places = {
      epoch: format.epoch,
      end: format.endOfLife,
      heard: issued.timeOf(issued.heard),
      last: issued.timeOf(issued.highest),
      start: this.plan.start,
    };
    return places[to];
  }

  /** Does what a callback does. */
  protected act(act: Act, actor: Actor): void {
    const { identity, era } = actor;
    // The timers of a dead process still fire, but must do nothing.
    const dead = this.dead.size > 0 || era !== identity.era;
    if (dead || this.#calm || this.#acts++ >= ACTS_PER_STEP || this.depth > DEEPEST) {
      return;
    }
    this.tally.events.callbacks++;
    const acts: { readonly [K in Act]: () => void } = {
      look: () => void actor.generator.stats(),
      next: () => this.single(this.fellow(identity), this.dice.chance(0.5)),
      many: () => this.batch(this.fellow(identity), this.dice.size(20), "nextMany"),
      at: () => this.#given(this.fellow(identity), -1000, 100),
      async: () => this.later(this.fellow(identity), false),
      throw: () => {
        throw new Own("thrown by a callback");
      },
      save: () => this.save(actor),
      restore: () => this.resume(identity, this.dice.below(SAVED), {}, {}),
      spend: () => {
        if (!this.alone(identity)) {
          this.make(identity, { spend: { from: "last", ticks: this.dice.between(-2, 2), date: false } });
        }
      },
      crash: () => this.die(actor),
      clock: () => {
        this.world.time += (this.dice.unit() - 0.5) * 20 * this.subject.format.layout.tickMs;
      },
      abort: () => this.#abortOne(),
    };
    acts[act]();
  }

  #given(actor: Actor, near: number, spread: number): void {
    const { issued } = actor.identity;
    const from = Number.isFinite(issued.lowest) ? issued.timeOf(issued.lowest) : this.world.time;
    const ms = from + near + (this.dice.unit() * 2 - 1) * spread;
    this.given(actor, this.dice.chance(0.2) ? new Date(Math.floor(ms)) : ms);
  }

  #abortOne(): void {
    const open = this.open.find(({ over, control }) => !over && !control.signal.aborted);
    if (open !== undefined) {
      this.abort(open.control);
    }
  }

  /** Handles calls that have settled, and processes that have died. */
  async #look(): Promise<void> {
    if (this.open.length > 0) {
      await settled();
    }
    this.open.splice(0, this.open.length, ...this.open.filter(({ over }) => !over));
    for (const error of this.world.uncaught.splice(0)) {
      if (!(error instanceof Own)) {
        this.finding ??= new Finding(
          "exception",
          `a timer threw ${error instanceof Error ? error.stack : error}`,
        );
      }
    }
    const [identity] = this.dead.keys();
    if (identity !== undefined) {
      const left = new Map(this.dead);
      this.dead.clear();
      const policies = this.actors
        .filter((actor) => actor.identity === identity)
        .map((actor) => actor.policy);
      this.quietly(() => this.restart(identity, left, { ...CRASHED, policies: policies.slice(-3) }));
    }
  }

  /** Lets time pass for waiting calls. */
  async #rounds(rounds: number, ticks: number): Promise<void> {
    const { world } = this;
    for (
      let i = 0;
      i < rounds && world.timers > 0 && this.finding === undefined && this.dead.size === 0;
      i++
    ) {
      world.time += ticks * this.subject.format.layout.tickMs;
      this.#acts = 0;
      world.listen();
      this.depth++;
      world.fire();
      this.depth--;
      for (const { issued } of this.identities) {
        issued.hear(world.heard.max);
      }
      await settled();
    }
  }

  /** The clock runs; every call that still waits must end. */
  async #end(): Promise<void> {
    const { world } = this;
    this.#calm = true;
    world.pace = { ...STEADY, step: this.subject.format.layout.tickMs / 8, other: 50 };
    world.rubbishIn = 0;
    for (let i = 0; i < LAST_ROUNDS / 50 && this.open.length > 0 && this.finding === undefined; i++) {
      await this.#rounds(50, 1);
      await this.#look();
    }
    if (this.finding === undefined && this.open.length > 0) {
      this.finding = new Finding(
        "hung",
        `${this.open.length} asynchronous calls have not ended, ${world.timers} timers are set`,
      );
    }
    for (const identity of this.identities) {
      this.quietly(() => this.count(this.fellow(identity)));
    }
  }
}
