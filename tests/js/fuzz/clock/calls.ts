/** The calls of a story, each with the checks of its result. */
import { inspect } from "node:util";
import { GraupelError } from "graupel";
import type { AnyGenerator, Id } from "../../support/any-format.ts";
import { Crash, Finding, Own } from "./finding.ts";
import type { Identity, Mark } from "./identity.ts";
import type { Policy } from "./plan.ts";
import type { Tally } from "./tally.ts";
import type { World } from "./world.ts";

/** The calls of a generator that issue IDs by the clock. */
type Issuing = "next" | "nextText" | "nextMany" | "nextManyText" | "nextTyped";
type Call = Issuing | "nextAsync" | "at" | "snapshot";

/** A generator, and what is known about it. */
export interface Actor {
  readonly generator: AnyGenerator;
  readonly identity: Identity;
  readonly policy: Policy;
  /** Which of the story's clocks it reads. */
  readonly dial: number;
  /** How many ticks it may run ahead of the clock. */
  readonly ahead: number;
  /** Whether callbacks or an injected source of randomness may act during its calls. */
  readonly watched: boolean;
}

/** An asynchronous call. Several may have the same signal. */
interface Open {
  readonly control: AbortController;
  over: boolean;
}

/** A call; it returns the checks of its result. */
type Body = (mark: Mark, metabyte: number | undefined) => () => void;

export class Calls {
  /** The generators of the living process. */
  actors: Actor[] = [];
  /** The first defect. It may have been thrown where nobody catches it, so it is also kept here. */
  finding: Finding | undefined;
  open: Open[] = [];
  /** How many calls are running, one inside the other. */
  depth = 0;
  #turns = 0;
  #metabytes = 0;

  constructor(
    readonly world: World,
    readonly tally: Tally,
  ) {}

  /** One call for an ID, or for `n`. Returns whether it is not refused. */
  issue(actor: Actor, call: Issuing, n?: number): boolean {
    const { generator, identity, dial } = actor;
    return this.#call(actor, call, (mark, metabyte) => {
      const given = [...(n === undefined ? [] : [n]), ...(call === "nextTyped" ? [] : [metabyte])];
      const made = (generator[call] as (...given: unknown[]) => unknown)(...given);
      return () => {
        const ids = (n === undefined ? [made] : made) as readonly Id[];
        if (ids.length !== (n ?? 1)) {
          throw new Finding("outside", `${ids.length} IDs instead of ${n}`);
        }
        let [first, last]: (number | undefined)[] = [];
        for (const one of ids) {
          const id = call.endsWith("Text") ? this.#read(one) : one;
          last = identity.enter(id, metabyte ?? 0, mark).tick;
          first ??= last;
        }
        if (first !== undefined && last !== undefined) {
          this.#timely(actor, first, last);
          this.tally.add("clocks", identity.dial !== dial);
          identity.dial = dial;
        }
        identity.close(mark);
      };
    });
  }

  /** One call of `at`. */
  at(actor: Actor, time: number | Date): void {
    const { generator, identity } = actor;
    const ms = Number(time);
    const body: Body = (mark, metabyte) => {
      const id = generator.at(time, metabyte);
      return () => {
        identity.given = true;
        const { tick, tickTock } = identity.look(id, metabyte ?? 0, mark.spent);
        if (tick !== identity.tickOf(ms) || tickTock !== 0) {
          const wanted = `${ms} is of tick ${identity.tickOf(ms)}`;
          throw new Finding("outside", `${inspect(id)} is of tick ${tick}; ${wanted}`);
        }
      };
    };
    this.#call(actor, "at", body, ms);
  }

  /** A snapshot as text; undefined if the clock cannot be read. */
  snapshot(actor: Actor): string | undefined {
    let json: string | undefined;
    this.#call(actor, "snapshot", () => {
      json = JSON.stringify(actor.generator.snapshot());
      return () => {};
    });
    return json;
  }

  /** One call of `nextAsync`. */
  later(actor: Actor, control = new AbortController()): void {
    const { generator, identity } = actor;
    const open: Open = { control, over: false };
    const { signal } = control;
    const metabyte = this.#metabyte();
    const start = identity.mark();
    const turn = this.#turns++;
    this.tally.add("nextAsync");
    identity.tangled ||= this.depth > 0;
    this.depth++;
    const promise = generator.nextAsync({ signal, ...(metabyte === undefined ? {} : { metabyte }) });
    this.depth--;
    identity.hear(this.world.heard);
    this.open.push(open);
    const end = (checks: () => void) => {
      open.over = true;
      // IDs of an earlier process are lost.
      if (this.actors.includes(actor)) {
        this.quietly(checks);
      }
    };
    promise.then(
      (id) => end(() => identity.closeAsynchronous(id, metabyte ?? 0, start, turn)),
      (error) => end(() => this.#judge(error, actor, "nextAsync", undefined, signal.aborted)),
    );
  }

  abort(control: AbortController): void {
    this.tally.add("aborted");
    control.abort(new Own("aborted"));
  }

  /** Runs something, and keeps the defect that it throws. */
  quietly(what: () => void): void {
    try {
      what();
    } catch (error) {
      this.found(error instanceof Finding ? error : new Finding("exception", `${error}`));
    }
  }

  /** Keeps a defect. */
  found(finding: Finding): Finding {
    this.finding ??= finding;
    return finding;
  }

  /** The next argument of sno's calls. */
  #metabyte(): number | undefined {
    const n = this.#metabytes++;
    return this.world.plan.subject.kind === "sno" && n % 3 > 0 ? (n * 37) % 256 : undefined;
  }

  /** Runs a call, then its checks; or judges its error. Returns whether there was none. */
  #call(actor: Actor, call: Call, body: Body, time?: number): boolean {
    const { identity } = actor;
    if (this.depth === 0) {
      this.world.listen();
    }
    this.tally.add(call);
    this.depth++;
    try {
      const checks = body(identity.mark(), this.#metabyte());
      // The process may have died during the call.
      if (this.actors.includes(actor)) {
        checks();
      }
      return true;
    } catch (error) {
      if (error instanceof Crash && this.depth > 1) {
        throw error;
      }
      this.#judge(error, actor, call, time, false);
      return false;
    } finally {
      this.depth--;
      identity.hear(this.world.heard);
    }
  }

  /** Judges an error: a refusal with a reason, the caller's own error, or a defect. */
  #judge(error: unknown, actor: Actor, call: Call, time: number | undefined, aborted: boolean): void {
    const { world, tally } = this;
    const heard = call === "nextAsync" ? world.ever : world.heard;
    if (error instanceof Finding) {
      throw this.found(error);
    }
    if (error instanceof Own) {
      if (!actor.watched && !aborted && !heard.invalid) {
        throw this.found(new Finding("exception", `${call} threw what another call's callback had thrown`));
      }
      tally.add("own");
    } else if (!GraupelError.is(error) || !(error instanceof GraupelError)) {
      const said = error instanceof Error ? error.stack : inspect(error);
      throw this.found(new Finding("exception", `${call} threw ${said}`));
    } else {
      tally.add(error.code);
      const fickle = world.plan.source !== undefined || world.plan.randomness === "low";
      if (!actor.identity.explains(error.code, call, time, heard, fickle)) {
        const said = `after ${heard.count} readings from ${heard.min} to ${heard.max}`;
        throw this.found(new Finding("error", `${call} refused ${said}: ${error.message}`));
      }
    }
  }

  /** The ID of a text. */
  #read(made: Id): Id {
    const { reference: r } = this.world.plan.subject;
    if (typeof made !== "string" || r.faults(made).size > 0 || r.text(r.read(made)) !== made) {
      throw new Finding("outside", `${inspect(made)} is not how an ID is written`);
    }
    return r.idOf(r.read(made));
  }

  /**
   * Compares the ticks of a call with the clock, if only this call has read it: none may be behind the reading of its ID, or further
   * ahead than the policy allows. Also counts events.
   */
  #timely({ identity, policy, ahead, watched }: Actor, first: number, last: number): void {
    if (watched || this.depth > 1) {
      return;
    }
    const { heard } = this.world;
    const low = identity.tickOf(heard.first);
    const high = identity.tickOf(heard.last);
    if (first < low || last > high + ahead) {
      const readings = `readings of ticks ${low} to ${high}`;
      throw new Finding("outside", `ticks ${first} to ${last}, made at ${readings}, at most ${ahead} ahead`);
    }
    this.tally.add("held", high < identity.heard && last > high && policy.sequenceFull !== "borrow");
    this.tally.add("borrowed", last > Math.max(high, identity.heard));
  }
}
