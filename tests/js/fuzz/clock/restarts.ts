/** Restarts: a process ends, and another one continues from what it has left. */

import { OtherProcess } from "../../support/other-process.ts";
import { type Actor, type Identity, retouched } from "./actors.ts";
import { Own } from "./finding.ts";
import { Processes } from "./processes.ts";
import type { Policy, Step } from "./step.ts";
import { STEADY } from "./world.ts";

/** How a process continues. */
type Again = Omit<Extract<Step, { do: "restart" }>, "do" | "of">;

export abstract class Restarts extends Processes {
  /** Replaces the process of an identity by another one, which continues from what the first has left. */
  protected restart(identity: Identity, left: ReadonlyMap<Identity, string> | undefined, step: Again): void {
    this.world.rubbishIn = 0;
    const household = left === undefined ? this.household(identity) : [...left.keys()];
    const words = left ?? this.lastWords(household);
    if (words === undefined) {
      return;
    }
    this.tally.calls.restart++;
    const realm = new OtherProcess();
    for (const one of household) {
      this.count(this.fellow(one));
      one.era++;
      one.realm = realm;
    }
    for (const open of this.open.filter(({ actor }) => household.includes(actor.identity))) {
      open.control.abort(new Own("the process ended"));
    }
    this.actors = this.actors.filter((actor) => !household.includes(actor.identity));
    for (const [one, json] of words) {
      this.#goOn(one, json, step);
    }
  }

  #goOn(identity: Identity, json: string, step: Again): void {
    const { issued, saved } = identity;
    const { knows } = step;
    const old = knows === "old" ? (saved[0] ?? json) : json;
    const snapshot = knows === "time" ? undefined : retouched(old, step.retouch, identity, this.subject);
    const spend = { ...step.spend, from: knows === "both" ? step.spend.from : ("last" as const) };
    // The new process knows only the readings in its snapshot.
    issued.heard = -1;
    issued.spent = knows === "snapshot" || knows === "both" ? issued.spent : -1;
    const alone = this.alone(identity);
    const [given = {}, ...others] = alone ? step.policies.slice(0, 1) : step.policies;
    const first: Policy = knows === "snapshot" ? given : { ...given, spend };
    const makeOthers = () => {
      for (const policy of others) {
        const same = snapshot !== undefined && this.dice.chance(0.3);
        this.make(identity, policy, same ? structuredClone(snapshot) : undefined);
      }
    };
    // This must come before the first ID.
    const takeOver = () => void this.make(identity, first, snapshot);
    if (step.early) {
      makeOthers();
    }
    if (alone || step.late < 0 || !this.#meanwhile(identity, step.late, takeOver)) {
      takeOver();
    }
    if (!step.early) {
      makeOthers();
    }
    this.save(this.fellow(identity));
  }

  /** Adds the statistics of a process. */
  protected count({ generator }: Actor): void {
    const { events } = this.tally;
    const { waits, overflows, clockRegressions } = generator.stats();
    events.waits += waits;
    events.full += overflows;
    events.back += clockRegressions;
  }

  /**
   * Issues IDs in a process that does not have its snapshot yet, at later times than all IDs before, so that they are new. Returns
   * whether the snapshot was applied, which may happen during a call that then fails.
   */
  #meanwhile(identity: Identity, count: number, takeOver: () => void): boolean {
    const { world } = this;
    const { issued, naming } = identity;
    const from = Math.max(issued.highest, issued.heard, issued.spent) + 1;
    if (from + count >= issued.lastTick) {
      return false;
    }
    const { pace } = world;
    const { tickMs } = this.subject.format.layout;
    world.time = Math.max(world.time, issued.timeOf(from));
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
      this.batch(failing, naming.capacity + 1, "nextMany");
    }
    world.pace = pace;
    return taken;
  }
}
