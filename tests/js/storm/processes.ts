/** The processes of a story: the generators in them, the snapshots that they leave behind, and their ends. */
import { Calls } from "./calls.ts";
import { type Actor, aheadOf, type Identity, retouched } from "./cast.ts";
import { Dice } from "./dice.ts";
import { Crash, Own } from "./finding.ts";
import { Ledger } from "./ledger.ts";
import type { Act, Plan, Policy, Retouch, Step } from "./plan.ts";
import type { Seen } from "./seen.ts";
import type { Tally } from "./tally.ts";
import { STEADY, type World } from "./world.ts";

/** The moments of a life that are kept. */
export const SAVED = 8;

export abstract class Processes extends Calls {
  protected readonly identities: readonly Identity[];
  protected actors: Actor[] = [];
  /** A process that has died in the middle of a call, with the snapshot that it had just saved. */
  protected dead: { identity: Identity; snapshot: string } | undefined;

  constructor(plan: Plan, world: World, tally: Tally, seen: Seen) {
    super(plan, world, new Dice(plan.seed + 1), tally);
    seen.clear();
    // Two partitions of sno may have the same numbers in them; parts of one must not.
    const same = plan.subject.namings.every(
      ({ fixed }) => fixed.partition === plan.subject.namings[0]?.fixed.partition,
    );
    this.identities = plan.subject.namings.map((naming, i) => ({
      naming,
      ledger: new Ledger(plan.subject, naming, seen, plan.subject.kind === "sno" && !same ? i : 0),
      clock: world.clock(),
      era: 0,
      ahead: 0,
      saved: [],
    }));
  }

  /** What a callback does. */
  protected abstract act(act: Act, actor: Actor): void;

  protected identity(of: number): Identity {
    return this.identities[of % this.identities.length] as Identity;
  }

  /** A living generator; where a plan has been cut short, one with all defaults. */
  protected actor(of: number): Actor {
    return this.actors[of % this.actors.length] ?? this.make(this.identity(of), {});
  }

  /** Some generator of the identity. */
  protected fellow(identity: Identity): Actor {
    const fellows = this.actors.filter((actor) => actor.identity === identity);
    return fellows.length > 0 ? this.dice.pick(fellows) : this.make(identity, {});
  }

  protected make(identity: Identity, policy: Policy, snapshot?: object, whenFull?: () => void): Actor {
    const { onBack, onFull, ...options } = policy;
    const { source } = this.plan;
    // A snapshot says whose it is, so that the rest may be left out.
    const named = snapshot === undefined || this.dice.chance(0.5) ? identity.naming.options : {};
    let actor: Actor | undefined;
    const acting = (act: Act | undefined) =>
      act === undefined ? {} : { call: () => actor !== undefined && this.act(act, actor) };
    const generator = this.subject.format.generator({
      ...named,
      ...options,
      clock: identity.clock,
      onClockBackwards: acting(onBack).call,
      onOverflow: whenFull ?? acting(onFull).call,
      ...(snapshot === undefined ? {} : { snapshot }),
      ...(source === undefined ? {} : { random: (bytes: Uint8Array) => this.draw(bytes, source, actor) }),
    });
    actor = {
      generator,
      identity,
      era: identity.era,
      policy,
      ahead: aheadOf(policy, this.subject),
      watched: onBack !== undefined || onFull !== undefined || source !== undefined || whenFull !== undefined,
    };
    identity.ahead = Math.max(identity.ahead, actor.ahead);
    this.actors.push(actor);
    return actor;
  }

  /** A generator with a source of randomness of its own stands alone: a second one would be another history. */
  protected another(identity: Identity, policy: Policy): void {
    if (this.plan.source === undefined || !this.actors.some((actor) => actor.identity === identity)) {
      this.make(identity, policy);
    }
  }

  private draw(bytes: Uint8Array, source: Act, actor: Actor | undefined): void {
    this.world.fill(bytes);
    if (actor !== undefined && this.dice.chance(0.05)) {
      this.act(source, actor);
    }
  }

  /** A snapshot as text; undefined where the clock cannot be read. */
  private snapshot(actor: Actor): string | undefined {
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

  /** A generator that goes on from a moment of the identity's own past, while the present goes on as well. */
  protected resume(identity: Identity, which: number, policy: Policy, retouch: Retouch): Actor | undefined {
    const { saved } = identity;
    const json = saved[which % Math.max(1, saved.length)];
    if (json === undefined || this.plan.source !== undefined) {
      return undefined;
    }
    this.tally.calls.restore++;
    return this.make(identity, policy, retouched(json, retouch, identity, this.subject));
  }

  /** The process dies in the middle of a call, a snapshot being the last that it has done. */
  protected die(actor: Actor): void {
    const snapshot = this.snapshot(actor);
    if (snapshot !== undefined && this.dead === undefined) {
      this.dead = { identity: actor.identity, snapshot };
      actor.identity.era++;
      this.tally.events.crashed++;
      throw new Crash("the process died");
    }
  }

  /** Another process goes on where one has ended, from the snapshot that it left behind. */
  protected restart(
    identity: Identity,
    left: string | undefined,
    step: Omit<Extract<Step, { do: "restart" }>, "do" | "of">,
  ): void {
    this.world.rubbishIn = 0;
    const last = this.fellow(identity);
    const json = left ?? this.snapshot(last);
    if (json === undefined) {
      return;
    }
    this.tally.calls.restart++;
    this.count(last);
    identity.era++;
    identity.clock = this.world.clock();
    for (const open of this.open.filter(({ actor }) => actor.identity === identity)) {
      open.control.abort(new Own("the process ended"));
    }
    this.actors = this.actors.filter((actor) => actor.identity !== identity);
    const snapshot = retouched(json, step.retouch, identity, this.subject);
    const [first = {}, ...others] = step.policies;
    // Nothing may be made before the snapshot has been taken over.
    const takeOver = () => void this.make(identity, first, snapshot).generator.stats();
    if (step.late < 0 || !this.meanwhile(identity, step.late, takeOver)) {
      takeOver();
    }
    for (const policy of others) {
      this.make(identity, policy, this.dice.chance(0.3) ? JSON.parse(JSON.stringify(snapshot)) : undefined);
    }
    this.save(this.fellow(identity));
  }

  /** What the operator of a process would have seen. */
  protected count({ generator }: Actor): void {
    const { events } = this.tally;
    const { waits, overflows, clockRegressions } = generator.stats();
    events.waits += waits;
    events.full += overflows;
    events.back += clockRegressions;
  }

  /**
   * IDs of a process that has not found its snapshot yet: later than all that there was, so that they are new as well.
   * Whether the snapshot has been taken over at the end: in the middle of a call that then fails.
   */
  private meanwhile(identity: Identity, count: number, takeOver: () => void): boolean {
    const { world } = this;
    const { ledger, naming } = identity;
    const from = Math.max(ledger.highest, ledger.heard) + 1;
    if (from + count >= ledger.lastTick) {
      return false;
    }
    const { pace } = world;
    const { tickMs } = this.subject.format.layout;
    world.time = Math.max(world.time, ledger.timeOf(from));
    world.pace = { ...STEADY, step: tickMs / 4 };
    const fresh = this.make(identity, { clockBackwards: "wait", sequenceFull: "wait" });
    for (let i = 0; i < count; i++) {
      this.single(fresh, false);
    }
    let taken = false;
    if (this.dice.chance(0.3) && naming.capacity < 5000) {
      world.pace = { ...STEADY, step: 0 };
      const impatient = { clockBackwards: "wait", sequenceFull: "wait", maxWaitMs: 0 } as const;
      const failing = this.make(identity, impatient, undefined, () => {
        if (!taken) {
          taken = true;
          takeOver();
        }
      });
      this.batch(failing, naming.capacity + 1, false);
    }
    world.pace = pace;
    return taken;
  }
}
