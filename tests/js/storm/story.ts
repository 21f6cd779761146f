/** A story told: its steps carried out, until the end or the first defect. */
import { Calls } from "./calls.ts";
import { type Actor, aheadOf, type Identity, retouched } from "./cast.ts";
import { Dice } from "./dice.ts";
import { Crash, Finding, Own } from "./finding.ts";
import { Ledger } from "./ledger.ts";
import type { Act, Plan, Policy, Retouch, Step } from "./plan.ts";
import type { Seen } from "./seen.ts";
import type { Tally } from "./tally.ts";
import { STEADY, settled, type World } from "./world.ts";

/** What callbacks may do in the course of one step, and how deep inside each other. */
const ACTS_PER_STEP = 8;
const DEEPEST = 2;
/** Refusals in a row after which a step asks no more. */
const ENOUGH = 20;
/** How often the timers fire at the end, at most, until the last asynchronous call has ended. */
const LAST_ROUNDS = 5000;
/** The moments of a life that are kept. */
const SAVED = 8;

export class Story extends Calls {
  readonly #identities: readonly Identity[];
  #actors: Actor[] = [];
  #acts = 0;
  /** Where in the plan the story is. */
  at = -1;
  /** A process that has died in the middle of a call, with the snapshot that it had just saved. */
  #dead: { identity: Identity; snapshot: string } | undefined;

  constructor(plan: Plan, world: World, tally: Tally, seen: Seen) {
    super(plan, world, new Dice(plan.seed + 1), tally);
    seen.clear();
    // Two partitions of sno may have the same numbers in them; parts of one must not.
    const same = plan.subject.namings.every(
      ({ fixed }) => fixed.partition === plan.subject.namings[0]?.fixed.partition,
    );
    this.#identities = plan.subject.namings.map((naming, i) => ({
      naming,
      ledger: new Ledger(plan.subject, naming, seen, plan.subject.kind === "sno" && !same ? i : 0),
      clock: world.clock(),
      era: 0,
      saved: [],
    }));
  }

  /** Tells it. What was found, if anything, is in `finding`. */
  async tell(): Promise<void> {
    const { plan, world } = this;
    world.enter(plan.seed, plan.randomness, this.subject.kind === "random");
    world.time = plan.start;
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
      for (const { ledger } of this.#identities) {
        this.tally.ids += ledger.count;
        this.tally.events.toggled += ledger.toggles;
      }
      this.tally.stories++;
    }
  }

  #take(step: Step): void {
    const { world } = this;
    if (step.do === "clock") {
      world.time += step.by;
    } else if (step.do === "jump") {
      world.time = this.#place(step.to) + step.ticks * this.subject.format.layout.tickMs;
    } else if (step.do === "pace") {
      world.pace = step.pace;
    } else if (step.do === "rubbish") {
      world.rubbishIn = step.after;
    } else if (step.do === "generator") {
      this.#another(this.#identity(step.of), step.policy);
    } else if (step.do === "restart") {
      this.#restart(this.#identity(step.of), undefined, step);
    } else if (step.do === "abort") {
      for (let i = 0; i < step.calls; i++) {
        this.#abortOne();
      }
    } else if (step.do !== "settle") {
      this.#call(step, this.#actor(step.of));
    }
  }

  /** The steps that some generator takes. */
  #call(
    step: Extract<Step, { do: "next" | "many" | "async" | "at" | "save" | "restore" }>,
    actor: Actor,
  ): void {
    if (step.do === "next") {
      for (let i = 0, refused = 0; i < step.times && refused < ENOUGH && this.#dead === undefined; i++) {
        refused = this.single(actor, step.text) ? 0 : refused + 1;
      }
    } else if (step.do === "many") {
      // Where a tick holds little, much would take all day.
      this.batch(actor, Math.min(step.n, actor.identity.naming.capacity * 300), step.text);
    } else if (step.do === "async") {
      for (let i = 0; i < step.calls && this.#dead === undefined; i++) {
        this.later(actor, step.abort === "before");
      }
      for (const open of step.abort === "some" ? this.open.slice(-step.calls) : []) {
        if (this.dice.chance(0.3)) {
          this.abort(open.control);
        }
      }
    } else if (step.do === "at") {
      for (let i = 0; i < step.times; i++) {
        this.#given(actor, step.near, step.spread);
      }
    } else if (step.do === "save") {
      this.#save(actor);
    } else {
      this.#resume(actor.identity, step.saved, step.policy, step.retouch);
    }
  }

  #identity(of: number): Identity {
    return this.#identities[of % this.#identities.length] as Identity;
  }

  /** A living generator; where a plan has been cut short, one with all defaults. */
  #actor(of: number): Actor {
    return this.#actors[of % this.#actors.length] ?? this.#make(this.#identity(of), {});
  }

  /** Some generator of the identity. */
  #fellow(identity: Identity): Actor {
    const fellows = this.#actors.filter((actor) => actor.identity === identity);
    return fellows.length > 0 ? this.dice.pick(fellows) : this.#make(identity, {});
  }

  #place(to: Extract<Step, { do: "jump" }>["to"]): number {
    const { format } = this.subject;
    const { ledger } = this.dice.pick(this.#identities);
    const places = {
      epoch: format.epoch,
      end: format.endOfLife,
      heard: ledger.timeOf(ledger.heard),
      last: ledger.timeOf(ledger.highest),
      start: this.plan.start,
    };
    return places[to];
  }

  #make(identity: Identity, policy: Policy, snapshot?: object): Actor {
    const { onBack, onFull, ...options } = policy;
    const { source } = this.plan;
    // A snapshot says whose it is, so that the rest may be left out.
    const named = snapshot === undefined || this.dice.chance(0.5) ? identity.naming.options : {};
    let actor: Actor | undefined;
    const acting = (act: Act | undefined) =>
      act === undefined ? {} : { call: () => actor !== undefined && this.#act(act, actor) };
    const generator = this.subject.format.generator({
      ...named,
      ...options,
      clock: identity.clock,
      onClockBackwards: acting(onBack).call,
      onOverflow: acting(onFull).call,
      ...(snapshot === undefined ? {} : { snapshot }),
      ...(source === undefined ? {} : { random: (bytes: Uint8Array) => this.#draw(bytes, source, actor) }),
    });
    actor = {
      generator,
      identity,
      policy,
      ahead: aheadOf(policy, this.subject),
      watched: onBack !== undefined || onFull !== undefined || source !== undefined,
    };
    this.#actors.push(actor);
    return actor;
  }

  /** A generator with a source of randomness of its own stands alone: a second one would be another history. */
  #another(identity: Identity, policy: Policy): void {
    if (this.plan.source === undefined || !this.#actors.some((actor) => actor.identity === identity)) {
      this.#make(identity, policy);
    }
  }

  #draw(bytes: Uint8Array, source: Act, actor: Actor | undefined): void {
    this.world.fill(bytes);
    if (actor !== undefined && this.dice.chance(0.05)) {
      this.#act(source, actor);
    }
  }

  /** What callbacks do. */
  #act(act: Act, actor: Actor): void {
    if (this.#acts++ >= ACTS_PER_STEP || this.depth > DEEPEST || this.#dead !== undefined) {
      return;
    }
    this.tally.events.callbacks++;
    const { identity } = actor;
    const acts: { readonly [K in Act]: () => void } = {
      look: () => void actor.generator.stats(),
      next: () => this.single(this.#fellow(identity), this.dice.chance(0.5)),
      many: () => this.batch(this.#fellow(identity), this.dice.size(20), false),
      at: () => this.#given(this.#fellow(identity), -1000, 100),
      async: () => this.later(this.#fellow(identity), false),
      throw: () => {
        throw new Own("thrown by a callback");
      },
      save: () => this.#save(actor),
      restore: () => this.#resume(identity, this.dice.below(SAVED), {}, {})?.generator.stats(),
      crash: () => this.#die(actor),
      clock: () => {
        this.world.time += (this.dice.unit() - 0.5) * 20 * this.subject.format.layout.tickMs;
      },
      abort: () => this.#abortOne(),
    };
    acts[act]();
  }

  #given(actor: Actor, near: number, spread: number): void {
    const { ledger } = actor.identity;
    const from = Number.isFinite(ledger.lowest) ? ledger.timeOf(ledger.lowest) : this.world.time;
    const ms = from + near + (this.dice.unit() * 2 - 1) * spread;
    this.given(actor, this.dice.chance(0.2) ? new Date(Math.floor(ms)) : ms);
  }

  #abortOne(): void {
    const open = this.open.find(({ over, control }) => !over && !control.signal.aborted);
    if (open !== undefined) {
      this.abort(open.control);
    }
  }

  /** A snapshot as text; undefined where the clock cannot be read. */
  #snapshot(actor: Actor): string | undefined {
    let json: string | undefined;
    this.call(actor, "snapshot", () => {
      json = JSON.stringify(actor.generator.snapshot());
    });
    return json;
  }

  #save(actor: Actor): void {
    const json = this.#snapshot(actor);
    const { saved } = actor.identity;
    if (json !== undefined) {
      saved.splice(saved.length < SAVED ? saved.length : this.dice.below(SAVED), 1, json);
    }
  }

  /** A generator that goes on from a moment of the identity's own past, while the present goes on as well. */
  #resume(identity: Identity, which: number, policy: Policy, retouch: Retouch): Actor | undefined {
    const { saved } = identity;
    const json = saved[which % Math.max(1, saved.length)];
    if (json === undefined || this.plan.source !== undefined) {
      return undefined;
    }
    this.tally.calls.restore++;
    return this.#make(identity, policy, retouched(json, retouch, identity, this.subject));
  }

  /** The process dies in the middle of a call, a snapshot being the last that it has done. */
  #die(actor: Actor): void {
    const snapshot = this.#snapshot(actor);
    if (snapshot !== undefined && this.#dead === undefined) {
      this.#dead = { identity: actor.identity, snapshot };
      actor.identity.era++;
      this.tally.events.crashed++;
      throw new Crash("the process died");
    }
  }

  /** Another process goes on where one has ended, from the snapshot that it left behind. */
  #restart(
    identity: Identity,
    left: string | undefined,
    step: Omit<Extract<Step, { do: "restart" }>, "do" | "of">,
  ): void {
    this.world.rubbishIn = 0;
    const last = this.#fellow(identity);
    const json = left ?? this.#snapshot(last);
    if (json === undefined) {
      return;
    }
    this.tally.calls.restart++;
    this.#count(last);
    identity.era++;
    identity.clock = this.world.clock();
    for (const open of this.open.filter(({ actor }) => actor.identity === identity)) {
      open.control.abort(new Own("the process ended"));
    }
    this.#actors = this.#actors.filter((actor) => actor.identity !== identity);
    const snapshot = retouched(json, step.retouch, identity, this.subject);
    if (step.late >= 0) {
      this.#meanwhile(identity, step.late);
    }
    const [first = {}, ...others] = step.policies;
    // Nothing may be made before the snapshot has been taken over.
    this.#make(identity, first, snapshot).generator.stats();
    for (const policy of others) {
      this.#make(identity, policy, this.dice.chance(0.3) ? JSON.parse(JSON.stringify(snapshot)) : undefined);
    }
    this.#save(this.#fellow(identity));
  }

  /** What the operator of a process would have seen. */
  #count({ generator }: Actor): void {
    const { events } = this.tally;
    const { waits, overflows, clockRegressions } = generator.stats();
    events.waits += waits;
    events.full += overflows;
    events.back += clockRegressions;
  }

  /** IDs of a process that has not found its snapshot yet: later than all that there was, so that they are new as well. */
  #meanwhile(identity: Identity, count: number): void {
    const { world } = this;
    const { ledger } = identity;
    const from = Math.max(ledger.highest, ledger.heard) + 1;
    if (from + count >= ledger.lastTick) {
      return;
    }
    const { pace } = world;
    world.time = Math.max(world.time, ledger.timeOf(from));
    world.pace = { ...STEADY, step: this.subject.format.layout.tickMs / 4 };
    const fresh = this.#make(identity, { clockBackwards: "wait", sequenceFull: "wait" });
    for (let i = 0; i < count; i++) {
      this.single(fresh, false);
    }
    world.pace = pace;
  }

  /** Sees to what has been settled, or died, in the meantime. */
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
    const dead = this.#dead;
    this.#dead = undefined;
    if (dead !== undefined) {
      const policies = this.#actors
        .filter((actor) => actor.identity === dead.identity)
        .map((actor) => actor.policy);
      this.quietly(() =>
        this.#restart(dead.identity, dead.snapshot, { retouch: {}, late: -1, policies: policies.slice(-3) }),
      );
    }
  }

  /** Lets time pass for those that wait. */
  async #rounds(rounds: number, ticks: number): Promise<void> {
    const { world } = this;
    for (
      let i = 0;
      i < rounds && world.timers > 0 && this.finding === undefined && this.#dead === undefined;
      i++
    ) {
      world.time += ticks * this.subject.format.layout.tickMs;
      this.#acts = 0;
      world.listen();
      this.depth++;
      world.fire();
      this.depth--;
      for (const { ledger } of this.#identities) {
        ledger.hear(world.heard.max);
      }
      await settled();
    }
  }

  /** The clock runs; every call that still waits must end. */
  async #end(): Promise<void> {
    const { world } = this;
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
    for (const identity of this.#identities) {
      this.quietly(() => this.#count(this.#fellow(identity)));
    }
  }
}
