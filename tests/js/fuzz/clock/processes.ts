/** The processes of a story: their generators, the snapshots that they leave, and how the next ones continue from these. */
import { OtherProcess } from "../../support/other-process.ts";
import type { Actor, Calls, Identity } from "./calls.ts";
import { Crash, Finding, Own } from "./finding.ts";
import type { Naming } from "./formats.ts";
import { Issued } from "./issued.ts";
import type { Act, Plan, Policy, Retouch, Spend, Step } from "./plan.ts";
import { retouched } from "./retouch.ts";
import { STEADY, type World } from "./world.ts";

/** How many snapshots of an identity are kept. */
const SAVED = 8;

/** How a process continues. */
type Again = Omit<Extract<Step, { do: "restart" }>, "do" | "of">;

/** What a generator is made with beside its own options. */
interface With {
  readonly snapshot?: object | undefined;
  /** In the place of the policy's callback. */
  readonly whenFull?: () => void;
}

/** The tick of the highest reading that a snapshot knows. */
function highestOf(snapshot: object): number {
  const { highest, wallHi } = snapshot as { highest?: number; wallHi?: number };
  return highest ?? wallHi ?? -1;
}

export class Processes {
  readonly identities: readonly Identity[];
  actors: Actor[] = [];
  /** The identities of a process that has died during a call, with the snapshots that it had just saved. */
  readonly dead = new Map<Identity, string>();
  /** Counts choices that the plan leaves open. */
  #choices = 0;

  constructor(
    readonly plan: Plan,
    readonly world: World,
    readonly calls: Calls,
    /** Does what a callback does. */
    readonly act: (act: Act, actor: Actor) => void,
  ) {
    const { subject, together, isolated } = plan;
    const one = new OtherProcess();
    const identity = (naming: Naming, keys: Set<bigint>, isolated: boolean): Identity => ({
      issued: new Issued(subject, naming, keys),
      isolated,
      process: together ? one : new OtherProcess(),
      dial: 0,
      era: 0,
      saved: [],
    });
    const keys = new Set<bigint>();
    this.identities = subject.namings.map((naming) => identity(naming, keys, false));
    if (isolated && plan.source === undefined) {
      // Its IDs may equal those of the others, so they have a set of their own.
      this.identities = [...this.identities, identity(subject.namings[0] as Naming, new Set(), true)];
    }
  }

  identity(of: number): Identity {
    return this.identities[of % this.identities.length] as Identity;
  }

  /** A generator of the living process; one with all defaults if there is none. */
  actor(of: number): Actor {
    return this.actors[of % this.actors.length] ?? this.make(this.identity(of), {});
  }

  /** Some generator of the identity. */
  fellow(identity: Identity): Actor {
    const fellows = this.actors.filter((actor) => actor.identity === identity);
    return fellows[this.#choices++ % fellows.length] ?? this.make(identity, {});
  }

  /** Whether the identity's generator shares its state with no other. */
  alone(identity: Identity): boolean {
    return identity.isolated || this.plan.source !== undefined;
  }

  /** Another generator, where there may be one. */
  another(identity: Identity, policy: Policy): void {
    if (!this.alone(identity) || !this.actors.some((actor) => actor.identity === identity)) {
      this.make(identity, policy);
    }
  }

  /** Makes a generator. Its snapshot and `notBefore` apply from then on. */
  make(identity: Identity, policy: Policy, { snapshot, whenFull }: With = {}): Actor {
    const { dial: any = 0, spend, onBack, onFull, maxAhead, keep, bare = false, ...options } = policy;
    const { plan, world } = this;
    const { subject, source } = plan;
    const { issued } = identity;
    const dial = any % world.clocks;
    const notBefore = spend && this.#timeOf(identity, spend);
    const before = spend?.compared ? this.#highest(identity) : undefined;
    let actor: Actor | undefined;
    const acting = (act: Act | undefined) => act && (() => actor !== undefined && this.act(act, actor));
    let draws = 0;
    const draw = (bytes: Uint8Array) => {
      world.fill(bytes);
      if (actor !== undefined && source !== undefined && ++draws % 20 === 0) {
        this.act(source, actor);
      }
    };
    const generator = identity.process.run(() =>
      subject.format.generator({
        // A snapshot has the identity.
        ...(snapshot !== undefined && bare ? {} : issued.naming.options),
        ...options,
        maxAheadMs: maxAhead && world.ms(maxAhead),
        ...(keep === undefined
          ? {}
          : keep === "keep"
            ? { onNewMillisecond: keep }
            : { sequenceResetThreshold: keep % issued.naming.capacity }),
        clock: dial > 0 || !plan.system ? world.clock(dial) : bare ? undefined : Date.now,
        onClockBackwards: acting(onBack),
        onOverflow: whenFull ?? acting(onFull),
        snapshot,
        notBefore,
        isolated: identity.isolated || undefined,
        ...(source && { random: draw }),
      }),
    );
    actor = {
      generator: identity.process.wrap(generator),
      identity,
      era: identity.era,
      policy,
      dial,
      ahead: this.#ahead(policy),
      watched: [onBack, onFull, source, whenFull].some((acts) => acts !== undefined),
    };
    this.actors.push(actor);
    const stored = snapshot === undefined ? -1 : highestOf(snapshot);
    issued.ahead = Math.max(issued.ahead, actor.ahead);
    issued.heard = Math.max(issued.heard, stored);
    if (notBefore !== undefined) {
      this.calls.tally.events.spent++;
      issued.spend(Number(notBefore));
      this.#untouched(actor, before, stored);
    }
    return actor;
  }

  /** The ticks that a policy may run ahead. */
  #ahead({ clockBackwards, sequenceFull, maxAhead = [10_000, "ms"] }: Policy): number {
    const { kind, spec } = this.plan.subject;
    const holds = clockBackwards === "hold" || (clockBackwards === undefined && kind !== "sno");
    return holds || sequenceFull === "borrow" ? Math.floor(this.world.ms(maxAhead) / spec.tickMs) : 0;
  }

  #timeOf({ issued }: Identity, { from, ticks, date }: Spend): number | Date {
    const start = from === "last" ? issued.timeOf(issued.highest + 1) : this.world.time;
    const ms = start + this.world.ms([ticks, "ticks"]);
    return date ? new Date(Math.floor(ms)) : ms;
  }

  /** The highest reading of the identity, in ticks; that of a new one before the first operation. */
  #highest(identity: Identity): number | undefined {
    if (!this.actors.some((actor) => actor.identity === identity)) {
      return this.plan.subject.kind === "sno" ? 0 : -1;
    }
    const json = this.calls.snapshot(this.fellow(identity));
    return json === undefined ? undefined : highestOf(JSON.parse(json));
  }

  /** Checks that spending ticks does not change the highest reading: it is the one before, or that of a later snapshot. */
  #untouched(actor: Actor, before: number | undefined, stored: number): void {
    const json = before === undefined ? undefined : this.calls.snapshot(actor);
    const highest = json === undefined ? before : highestOf(JSON.parse(json));
    if (highest !== before && highest !== stored) {
      const said = `the highest reading was ${before}, or ${stored}, and is ${highest}`;
      throw this.calls.found(new Finding("spent", said));
    }
  }

  save(actor: Actor): void {
    const json = this.calls.snapshot(actor);
    const { saved } = actor.identity;
    if (json !== undefined) {
      saved.splice(saved.length < SAVED ? saved.length : this.#choices++ % SAVED, 1, json);
    }
  }

  /** A generator that continues from an old snapshot of the identity, beside the present ones. */
  resume(identity: Identity, which: number, policy: Policy, retouch: Retouch): void {
    const { saved } = identity;
    const json = saved[which % Math.max(1, saved.length)];
    if (json !== undefined && !this.alone(identity)) {
      this.calls.tally.calls.restore++;
      this.make(identity, policy, { snapshot: retouched(json, retouch, identity.issued) });
    }
  }

  /** A last snapshot of every identity in a process; undefined if a clock cannot be read. */
  #lastWords({ process }: Identity): Map<Identity, string> | undefined {
    const words = new Map<Identity, string>();
    for (const identity of this.identities.filter((identity) => identity.process === process)) {
      const json = this.calls.snapshot(this.fellow(identity));
      if (json === undefined) {
        return undefined;
      }
      words.set(identity, json);
    }
    return words;
  }

  /** Saves snapshots; then the process dies during a call. */
  die({ identity }: Actor): void {
    const words = this.dead.size === 0 ? this.#lastWords(identity) : undefined;
    if (words !== undefined) {
      for (const [one, json] of words) {
        this.dead.set(one, json);
        one.era++;
      }
      this.calls.tally.events.crashed++;
      throw new Crash("the process died");
    }
  }

  /** Restarts the process that has died during a call, if one has. */
  bury(): void {
    const [identity] = this.dead.keys();
    if (identity !== undefined) {
      const left = new Map(this.dead);
      this.dead.clear();
      const own = this.actors.filter((actor) => actor.identity === identity).map(({ policy }) => policy);
      const spend = { from: "last", ticks: 0, date: false, compared: false } as const;
      const retouch = { near: undefined, dropAt: undefined, plain: undefined };
      const policies = own.slice(-3) as Again["policies"];
      this.restart(
        identity,
        { knows: "snapshot", spend, early: false, retouch, late: undefined, policies },
        left,
      );
    }
  }

  /** Replaces the process of an identity by another one, which continues from what the first has left. */
  restart(identity: Identity, again: Again, left?: ReadonlyMap<Identity, string>): void {
    this.world.rubbishIn = 0;
    const words = left ?? this.#lastWords(identity);
    if (words === undefined) {
      return;
    }
    const { calls } = this;
    calls.tally.calls.restart++;
    const process = new OtherProcess();
    for (const one of words.keys()) {
      this.count(one);
      one.era++;
      one.process = process;
    }
    for (const { actor, control } of calls.open) {
      if (words.has(actor.identity)) {
        control.abort(new Own("the process ended"));
      }
    }
    this.actors = this.actors.filter((actor) => !words.has(actor.identity));
    for (const [one, json] of words) {
      this.#goOn(one, json, again);
    }
  }

  /** Makes the generators of a new process. */
  #goOn(identity: Identity, json: string, { knows, spend, early, retouch, late, policies }: Again): void {
    const { issued, saved } = identity;
    const old = knows === "old" ? (saved[0] ?? json) : json;
    const snapshot = knows === "time" ? undefined : retouched(old, retouch, issued);
    const from = knows === "both" ? spend.from : ("last" as const);
    // The new process knows only the readings in its snapshot.
    issued.heard = -1;
    issued.spent = knows === "snapshot" || knows === "both" ? issued.spent : -1;
    const alone = this.alone(identity);
    const [given = {} as Policy, ...others] = alone ? policies.slice(0, 1) : policies;
    const makeOthers = () => {
      for (const policy of others) {
        this.make(identity, policy, { snapshot: policy.bare ? structuredClone(snapshot) : undefined });
      }
    };
    // This must come before the first ID.
    const takeOver = () =>
      this.make(identity, knows === "snapshot" ? given : { ...given, spend: { ...spend, from } }, {
        snapshot,
      });
    if (early) {
      makeOthers();
    }
    if (alone || late === undefined || !this.#meanwhile(identity, late, takeOver)) {
      takeOver();
    }
    if (!early) {
      makeOthers();
    }
    this.save(this.fellow(identity));
  }

  /**
   * Issues IDs in a process that does not have its snapshot yet, at later times than all IDs before, so that they are new. Returns
   * whether the snapshot was applied, which may happen during a call that then fails.
   */
  #meanwhile(
    identity: Identity,
    { ids, full }: { ids: number; full: boolean },
    takeOver: () => void,
  ): boolean {
    const { world } = this;
    const { issued } = identity;
    const from = Math.max(issued.highest, issued.heard, issued.spent) + 1;
    if (from + ids >= issued.lastTick) {
      return false;
    }
    const { pace } = world;
    world.time = Math.max(world.time, issued.timeOf(from));
    world.pace = STEADY;
    const patient = { clockBackwards: "wait", sequenceFull: "wait" } as const;
    const fresh = this.make(identity, patient);
    for (let i = 0; i < ids; i++) {
      this.calls.single(fresh, false);
    }
    let taken = false;
    const { capacity } = issued.naming;
    if (full && capacity < 5000) {
      world.pace = { ...STEADY, step: 0 };
      const whenFull = () => {
        if (!taken) {
          taken = true;
          takeOver();
        }
      };
      this.calls.batch(
        this.make(identity, { ...patient, maxWaitMs: 0 }, { whenFull }),
        capacity + 1,
        "nextMany",
      );
    }
    world.pace = pace;
    return taken;
  }

  /** Adds the statistics of an identity's process. */
  count(identity: Identity): void {
    const { events } = this.calls.tally;
    const { waits, overflows, clockRegressions } = this.fellow(identity).generator.stats();
    events.waits += waits;
    events.full += overflows;
    events.back += clockRegressions;
  }
}
