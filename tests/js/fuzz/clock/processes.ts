/** The processes of a story: their generators, and the snapshots that they leave. */

import { OtherProcess } from "../../support/other-process.ts";
import { Random } from "../../support/random.ts";
import { type Actor, aheadOf, highestOf, type Identity, retouched } from "./actors.ts";
import { Calls } from "./calls.ts";
import { Crash, Finding } from "./finding.ts";
import type { IdSet } from "./id-set.ts";
import { IssuedIds } from "./issued.ts";
import type { Plan } from "./plan.ts";
import type { Act, Policy, Retouch, Spend } from "./step.ts";
import type { Naming } from "./subjects.ts";
import type { Tally } from "./tally.ts";
import type { World } from "./world.ts";

/** How many snapshots of an identity are kept. */
export const SAVED = 8;

export abstract class Processes extends Calls {
  protected readonly identities: readonly Identity[];
  protected actors: Actor[] = [];
  /** The identities of a process that has died during a call, with the snapshots that it had just saved. */
  protected readonly dead = new Map<Identity, string>();

  constructor(plan: Plan, world: World, tally: Tally, ids: IdSet) {
    super(plan, world, new Random(plan.seed + 1), tally);
    ids.clear();
    const { namings, kind } = plan.subject;
    // Two partitions of sno may have the same sequence numbers; two parts of one partition must not.
    const same = namings.every(({ fixed }) => fixed.partition === namings[0]?.fixed.partition);
    const one = new OtherProcess();
    const identity = (naming: Naming, tag: number, isolated: boolean): Identity => ({
      naming,
      issued: new IssuedIds(plan.subject, naming, ids, tag),
      isolated,
      realm: plan.together ? one : new OtherProcess(),
      dial: 0,
      era: 0,
      ahead: 0,
      saved: [],
    });
    const shared = namings.map((naming, i) => identity(naming, kind === "sno" && !same ? i : 0, false));
    // Its IDs may equal those of the others, so they are counted separately.
    const isolated = plan.isolated ? [identity(namings[0] as Naming, namings.length, true)] : [];
    this.identities = [...shared, ...isolated];
  }

  /** What a callback does. */
  protected abstract act(act: Act, actor: Actor): void;

  protected identity(of: number): Identity {
    return this.identities[of % this.identities.length] as Identity;
  }

  /** A generator of the living process; one with all defaults if shrinking has removed its step. */
  protected actor(of: number): Actor {
    return this.actors[of % this.actors.length] ?? this.make(this.identity(of), {});
  }

  /** Some generator of the identity. */
  protected fellow(identity: Identity): Actor {
    const fellows = this.fellows(identity);
    return fellows.length > 0 ? this.dice.pick(fellows) : this.make(identity, {});
  }

  private fellows(identity: Identity): readonly Actor[] {
    return this.actors.filter((actor) => actor.identity === identity);
  }

  /** Whether the identity's generator shares its state with no other. */
  protected alone(identity: Identity): boolean {
    return identity.isolated || this.plan.source !== undefined;
  }

  /** Makes a generator. Its snapshot and `notBefore` apply from then on. */
  protected make(identity: Identity, policy: Policy, snapshot?: object, whenFull?: () => void): Actor {
    const { onBack, onFull, dial: any = 0, spend, ...options } = policy;
    const { source, dials } = this.plan;
    const dial = any % dials.length;
    const notBefore = spend && this.#timeOf(identity, spend);
    const before = notBefore === undefined || this.dice.chance(0.5) ? undefined : this.#highest(identity);
    // A snapshot has the identity, so the other options may be left out.
    const named = snapshot === undefined || this.dice.chance(0.5) ? identity.naming.options : {};
    let actor: Actor | undefined;
    const acting = (act: Act | undefined) =>
      act === undefined ? {} : { call: () => actor !== undefined && this.act(act, actor) };
    const generator = identity.realm.run(() =>
      this.subject.format.generator({
        ...named,
        ...options,
        ...this.#clock(dial),
        onClockBackwards: acting(onBack).call,
        onOverflow: whenFull ?? acting(onFull).call,
        ...(snapshot === undefined ? {} : { snapshot }),
        ...(notBefore === undefined ? {} : { notBefore }),
        ...(identity.isolated ? { isolated: true } : {}),
        ...(source === undefined ? {} : { random: (bytes: Uint8Array) => this.draw(bytes, source, actor) }),
      }),
    );
    actor = {
      generator: identity.realm.wrap(generator),
      identity,
      era: identity.era,
      policy,
      dial,
      ahead: aheadOf(policy, this.subject),
      watched: onBack !== undefined || onFull !== undefined || source !== undefined || whenFull !== undefined,
    };
    identity.ahead = Math.max(identity.ahead, actor.ahead);
    this.actors.push(actor);
    const stored = snapshot === undefined ? -1 : highestOf(snapshot);
    identity.issued.heard = Math.max(identity.issued.heard, stored);
    if (notBefore !== undefined) {
      this.tally.events.spent++;
      identity.issued.spend(Number(notBefore));
      this.#untouched(actor, before, stored);
    }
    return actor;
  }

  /** Another generator, where there may be one. */
  protected another(identity: Identity, policy: Policy): void {
    if (!this.alone(identity) || this.fellows(identity).length === 0) {
      this.make(identity, policy);
    }
  }

  /** One of the story's clocks as an option; the system clock may be left out. */
  #clock(dial: number): { clock?: () => number } {
    return dial > 0 || !this.plan.system
      ? { clock: this.world.clock(dial) }
      : this.dice.chance(0.5)
        ? {}
        : { clock: Date.now };
  }

  #timeOf({ issued }: Identity, { from, ticks, date }: Spend): number | Date {
    const start = from === "last" ? issued.timeOf(issued.highest + 1) : this.world.time;
    const ms = start + ticks * this.subject.format.layout.tickMs;
    return date ? new Date(Math.floor(ms)) : ms;
  }

  /** The highest reading of the identity, in ticks; that of a new one before the first operation. */
  #highest(identity: Identity): number | undefined {
    const [fellow] = this.fellows(identity);
    const json = fellow === undefined ? undefined : this.snapshot(fellow);
    return fellow === undefined
      ? this.subject.kind === "sno"
        ? 0
        : -1
      : json === undefined
        ? undefined
        : highestOf(JSON.parse(json));
  }

  /** Checks that spending ticks does not change the highest reading: it is the one before, or that of a later snapshot. */
  #untouched(actor: Actor, before: number | undefined, stored: number): void {
    const json = before === undefined ? undefined : this.snapshot(actor);
    this.check(() => {
      const highest = json === undefined ? undefined : highestOf(JSON.parse(json));
      if (highest !== undefined && highest !== before && highest !== stored) {
        throw new Finding("spent", `the highest reading was ${before}, or ${stored}, and is ${highest}`);
      }
    });
  }

  private draw(bytes: Uint8Array, source: Act, actor: Actor | undefined): void {
    this.world.fill(bytes);
    if (actor !== undefined && this.dice.chance(0.05)) {
      this.act(source, actor);
    }
  }

  /** A snapshot as text; undefined if the clock cannot be read. */
  protected snapshot(actor: Actor): string | undefined {
    let json: string | undefined;
    this.call(actor, "snapshot", () => {
      json = JSON.stringify(actor.generator.snapshot());
    });
    return json;
  }

  protected save(actor: Actor): void {
    const json = this.snapshot(actor);
    const { saved } = actor.identity;
    if (json !== undefined) {
      saved.splice(saved.length < SAVED ? saved.length : this.dice.below(SAVED), 1, json);
    }
  }

  /** A generator that continues from an old snapshot of the identity, beside the present ones. */
  protected resume(identity: Identity, which: number, policy: Policy, retouch: Retouch): void {
    const { saved } = identity;
    const json = saved[which % Math.max(1, saved.length)];
    if (json !== undefined && !this.alone(identity)) {
      this.tally.calls.restore++;
      this.make(identity, policy, retouched(json, retouch, identity, this.subject));
    }
  }

  /** All identities in the same process. */
  protected household({ realm }: Identity): readonly Identity[] {
    return this.identities.filter((identity) => identity.realm === realm);
  }

  /** A last snapshot of every identity in a process; undefined if a clock cannot be read. */
  protected lastWords(household: readonly Identity[]): Map<Identity, string> | undefined {
    const words = new Map<Identity, string>();
    for (const identity of household) {
      const json = this.snapshot(this.fellow(identity));
      if (json === undefined) {
        return undefined;
      }
      words.set(identity, json);
    }
    return words;
  }

  /** Saves snapshots; then the process dies during a call. */
  protected die({ identity }: Actor): void {
    const words = this.dead.size === 0 ? this.lastWords(this.household(identity)) : undefined;
    if (words !== undefined) {
      for (const [one, json] of words) {
        this.dead.set(one, json);
        one.era++;
      }
      this.tally.events.crashed++;
      throw new Crash("the process died");
    }
  }
}
