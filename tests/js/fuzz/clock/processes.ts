/** The process of a story: its generators, the snapshots that it leaves, and how the next one continues from these. */
import { emptyRegistry } from "../../support/other-process.ts";
import type { Actor, Calls } from "./calls.ts";
import { Crash, Finding, Own } from "./finding.ts";
import { Identity } from "./identity.ts";
import type { Act, Policy, Retouch, Spend, Step } from "./plan.ts";
import { retouched } from "./retouch.ts";
import { STEADY } from "./world.ts";

/** How many snapshots of an identity are kept. */
const SAVED = 8;

/** How a process continues. */
type Again = Partial<Omit<Extract<Step, { do: "restart" }>, "do" | "policies">> & {
  readonly policies: readonly Policy[];
};

/** The tick of the highest reading that a snapshot knows. */
function highestOf(snapshot: object): number {
  const { highest, wallHi } = snapshot as { highest?: number; wallHi?: number };
  return highest ?? wallHi ?? -1;
}

export class Processes {
  readonly identities: readonly Identity[];
  /** The snapshots that a process has saved before it died during a call, and the policies of its generators. */
  dead: { readonly words: ReadonlyMap<Identity, string>; readonly policies: readonly Policy[] } | undefined;
  /** Counts choices that the plan leaves open. */
  #choices = 0;

  /** `act`: does what a callback does. */
  constructor(
    readonly calls: Calls,
    readonly act: (act: Act, actor: Actor) => void,
  ) {
    const { subject, isolated, source } = calls.world.plan;
    const keys = new Set<bigint>();
    const identities = subject.namings.map((naming) => new Identity(subject, naming, keys, false));
    // Its IDs may equal those of the others.
    const apart = subject.namings.slice(0, isolated && source === undefined ? 1 : 0);
    this.identities = [
      ...identities,
      ...apart.map((naming) => new Identity(subject, naming, new Set(), true)),
    ];
    emptyRegistry();
  }

  identity(of: number): Identity {
    return this.identities[of % this.identities.length] as Identity;
  }

  /** A generator of the living process; one with all defaults if there is none. */
  actor(of: number): Actor {
    const { actors } = this.calls;
    return actors[of % actors.length] ?? this.make(this.identity(of), {});
  }

  #fellows(identity: Identity): Actor[] {
    return this.calls.actors.filter((actor) => actor.identity === identity);
  }

  /** Some generator of the identity. */
  fellow(identity: Identity): Actor {
    const fellows = this.#fellows(identity);
    return fellows[this.#choices++ % fellows.length] ?? this.make(identity, {});
  }

  /** Whether the identity's generator shares its state with no other. */
  alone(identity: Identity): boolean {
    return identity.isolated || this.calls.world.plan.source !== undefined;
  }

  /** Another generator, where there may be one. */
  another(identity: Identity, policy: Policy): void {
    if (!this.alone(identity) || this.#fellows(identity).length === 0) {
      this.make(identity, policy);
    }
  }

  /** Makes a generator. Its snapshot and `notBefore` apply from then on. `whenFull` takes the place of the policy's callback. */
  make(identity: Identity, policy: Policy, snapshot?: object, whenFull?: () => void): Actor {
    const { dial: any = 0, spend, onBack, onFull, maxAhead, keep, bare = false, ...options } = policy;
    const { calls } = this;
    const { world, tally } = calls;
    const { subject, source, system } = world.plan;
    const { naming } = identity;
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
    const threshold = typeof keep === "number" ? keep % (naming.last - naming.first + 1) : undefined;
    const generator = subject.format.generator({
      // A snapshot has the identity.
      ...(snapshot !== undefined && bare ? {} : naming.options),
      ...options,
      maxAheadMs: maxAhead && world.ms(maxAhead),
      ...(keep === "keep" && { onNewMillisecond: keep }),
      ...(threshold !== undefined && { sequenceResetThreshold: threshold }),
      clock: dial > 0 || !system ? world.clock(dial) : bare ? undefined : Date.now,
      onClockBackwards: acting(onBack),
      onOverflow: whenFull ?? acting(onFull),
      snapshot,
      notBefore,
      isolated: identity.isolated || undefined,
      ...(source && { random: draw }),
    });
    const watched = [onBack, onFull, source, whenFull].some((acts) => acts !== undefined);
    actor = { generator, identity, policy, dial, ahead: this.#ahead(policy), watched };
    calls.actors.push(actor);
    const stored = snapshot === undefined ? -1 : highestOf(snapshot);
    identity.ahead = Math.max(identity.ahead, actor.ahead);
    identity.heard = Math.max(identity.heard, stored);
    if (notBefore !== undefined) {
      tally.add("spent");
      identity.spend(Number(notBefore));
      this.#compare(actor, before, stored);
    }
    return actor;
  }

  /** The ticks that a policy may run ahead. */
  #ahead({ clockBackwards, sequenceFull, maxAhead = [10_000, "ms"] }: Policy): number {
    const { world } = this.calls;
    const { kind, spec } = world.plan.subject;
    const holds = clockBackwards === "hold" || (clockBackwards === undefined && kind !== "sno");
    return holds || sequenceFull === "borrow" ? Math.floor(world.ms(maxAhead) / spec.tickMs) : 0;
  }

  #timeOf(identity: Identity, { from, ticks, date }: Spend): number | Date {
    const { world } = this.calls;
    const start = from === "last" ? identity.timeOf(identity.highest + 1) : world.time;
    const ms = start + world.ms([ticks, "ticks"]);
    return date ? new Date(Math.floor(ms)) : ms;
  }

  /** The highest reading of the identity, in ticks; that of a new one before the first operation. */
  #highest(identity: Identity): number | undefined {
    if (this.#fellows(identity).length === 0) {
      return identity.subject.kind === "sno" ? 0 : -1;
    }
    const json = this.calls.snapshot(this.fellow(identity));
    return json === undefined ? undefined : highestOf(JSON.parse(json));
  }

  /** Checks that spending ticks does not change the highest reading: it is the one before, or that of a later snapshot. */
  #compare(actor: Actor, before: number | undefined, stored: number): void {
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
    const json = identity.saved[which % Math.max(1, identity.saved.length)];
    if (json !== undefined && !this.alone(identity)) {
      this.calls.tally.add("restore");
      this.make(identity, policy, retouched(json, retouch, identity));
    }
  }

  /** A last snapshot of every identity; undefined if a clock cannot be read. */
  #lastWords(): Map<Identity, string> | undefined {
    const words = new Map<Identity, string>();
    for (const identity of this.identities) {
      const json = this.calls.snapshot(this.fellow(identity));
      if (json === undefined) {
        return undefined;
      }
      words.set(identity, json);
    }
    return words;
  }

  /** Saves snapshots; then the process dies during a call. */
  die(): void {
    const words = this.dead === undefined ? this.#lastWords() : undefined;
    if (words !== undefined) {
      this.count();
      this.dead = { words, policies: this.calls.actors.slice(-3).map(({ policy }) => policy) };
      this.calls.actors = [];
      this.calls.tally.add("crashed");
      throw new Crash("the process died");
    }
  }

  /** Starts the process again that has died during a call. */
  revive(): void {
    if (this.dead !== undefined) {
      const { words, policies } = this.dead;
      this.dead = undefined;
      this.#goOn(words, { policies });
    }
  }

  /** Replaces the process by another one, which continues from what the first has left. */
  restart(again: Again): void {
    this.calls.world.rubbishIn = 0;
    const words = this.#lastWords();
    if (words !== undefined) {
      this.count();
      this.#goOn(words, again);
    }
  }

  #goOn(words: ReadonlyMap<Identity, string>, again: Again): void {
    const { calls } = this;
    calls.world.rubbishIn = 0;
    calls.tally.add("restart");
    calls.actors = [];
    emptyRegistry();
    for (const { control } of calls.open) {
      control.abort(new Own("the process ended"));
    }
    for (const [identity, json] of words) {
      this.#continue(identity, json, again);
    }
  }

  /** Makes the generators of an identity in the next process. */
  #continue(identity: Identity, json: string, again: Again): void {
    const { knows = "snapshot", spend, early, retouch = {}, late, policies } = again;
    const old = knows === "old" ? (identity.saved[0] ?? json) : json;
    const snapshot = knows === "time" ? undefined : retouched(old, retouch, identity);
    const from = knows === "both" && spend !== undefined ? spend.from : "last";
    // The new process knows only the readings in its snapshot.
    identity.heard = -1;
    identity.spent = knows === "snapshot" || knows === "both" ? identity.spent : -1;
    const alone = this.alone(identity);
    const [given = {}, ...others] = alone ? policies.slice(0, 1) : policies;
    const first =
      knows === "snapshot" || spend === undefined ? given : { ...given, spend: { ...spend, from } };
    const makeOthers = () => {
      for (const policy of others) {
        this.make(identity, policy, policy.bare ? structuredClone(snapshot) : undefined);
      }
    };
    // This must come before the first ID.
    const takeOver = () => void this.make(identity, first, snapshot);
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
  #meanwhile(identity: Identity, late: { ids: number; full: boolean }, takeOver: () => void): boolean {
    const { calls } = this;
    const { world } = calls;
    const { pace } = world;
    const { highest, heard, spent, lastTick, naming } = identity;
    const from = Math.max(highest, heard, spent) + 1;
    if (from + late.ids >= lastTick) {
      return false;
    }
    world.time = Math.max(world.time, identity.timeOf(from));
    world.pace = STEADY;
    const patient = { clockBackwards: "wait", sequenceFull: "wait" } as const;
    const fresh = this.make(identity, patient);
    for (let i = 0; i < late.ids; i++) {
      calls.issue(fresh, "next");
    }
    let taken = false;
    const width = naming.last - naming.first + 1;
    if (late.full && width < 5000) {
      world.pace = { ...STEADY, step: 0 };
      const failing = this.make(identity, { ...patient, maxWaitMs: 0 }, undefined, () => {
        if (!taken) {
          taken = true;
          takeOver();
        }
      });
      calls.issue(failing, "nextMany", width + 1);
    }
    world.pace = pace;
    return taken;
  }

  /** Adds the statistics of the process. */
  count(): void {
    for (const identity of this.identities) {
      const { waits, overflows, clockRegressions } = this.fellow(identity).generator.stats();
      this.calls.tally.add("waits", waits);
      this.calls.tally.add("full", overflows);
      this.calls.tally.add("back", clockRegressions);
    }
  }
}
