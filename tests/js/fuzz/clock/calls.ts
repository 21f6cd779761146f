/** The calls of a story, each with the checks of its result. */
import { GraupelError } from "graupel";
import type { AnyGenerator, Id } from "../../support/any-format.ts";
import type { OtherProcess } from "../../support/other-process.ts";
import { Crash, Finding, Own, show } from "./finding.ts";
import type { Subject } from "./formats.ts";
import type { Issued, Mark } from "./issued.ts";
import type { Policy } from "./plan.ts";
import type { Call, Tally } from "./tally.ts";
import type { World } from "./world.ts";

/** One identity. A restart moves it to another process, and so gives it a new state. */
export interface Identity {
  readonly issued: Issued;
  /** Whether its one generator is isolated. Another identity may then have the same fields. */
  readonly isolated: boolean;
  /** The process that it lives in. */
  process: OtherProcess;
  /** The clock of its last ID. */
  dial: number;
  /** How often its process has died. Calls and IDs of an earlier process are lost. */
  era: number;
  /** Snapshots of any moment, as stored on a disk. */
  saved: string[];
}

/** A generator, and what is known about it. */
export interface Actor {
  readonly generator: AnyGenerator;
  readonly identity: Identity;
  /** The identity's era that it belongs to. */
  readonly era: number;
  readonly policy: Policy;
  /** Which of the story's clocks it reads. */
  readonly dial: number;
  /** How many ticks it may run ahead of the clock. */
  readonly ahead: number;
  /** Whether callbacks or an injected source of randomness may act during its calls. */
  readonly watched: boolean;
}

/** An asynchronous call. */
interface Open {
  readonly actor: Actor;
  readonly control: AbortController;
  over: boolean;
}

export class Calls {
  /** The first defect. It may have been thrown where nobody catches it, so it is also kept here. */
  finding: Finding | undefined;
  open: Open[] = [];
  /** How many calls are running, one inside the other. */
  depth = 0;
  #turns = 0;
  #metabytes = 0;

  constructor(
    readonly subject: Subject,
    readonly world: World,
    readonly tally: Tally,
  ) {}

  /** One call of `next`. Returns whether there is an ID. */
  single(actor: Actor, text: boolean): boolean {
    const { generator, identity } = actor;
    const { issued } = identity;
    return this.#call(actor, text ? "nextText" : "next", (mark, metabyte) => {
      const made = text ? generator.nextText(metabyte) : generator.next(metabyte);
      return () => {
        const id = text ? this.#parsed(made as string) : (made as Id);
        const { tick } = issued.enter(id, metabyte ?? 0, mark);
        this.#roundTrip(id);
        this.#timely(actor, tick, tick);
        this.tally.events.clocks += identity.dial === actor.dial ? 0 : 1;
        identity.dial = actor.dial;
        issued.close(mark);
      };
    });
  }

  /** One call for many IDs. Generators of texts have no `nextTyped`: they get `nextMany` in its place. */
  batch(actor: Actor, n: number, wanted: "nextMany" | "nextManyText" | "nextTyped"): void {
    const { generator, identity } = actor;
    const { issued } = identity;
    const text = wanted === "nextManyText";
    const call = wanted === "nextTyped" && generator.nextTyped === undefined ? "nextMany" : wanted;
    this.#call(actor, call, (mark, metabyte) => {
      const given = call === "nextTyped" ? [n] : [n, metabyte];
      const many = (generator[call] as AnyGenerator["nextMany"])(...given);
      return () => {
        if (many.length !== n) {
          throw new Finding("outside", `${many.length} IDs instead of ${n}`);
        }
        let [first, last] = [-1, -1];
        for (let i = 0; i < n; i++) {
          const id = many[i] as Id;
          last = issued.enter(text ? this.#parsed(id as string) : id, metabyte ?? 0, mark).tick;
          first = i === 0 ? last : first;
        }
        if (n > 0) {
          this.#timely(actor, first, last);
        }
        issued.close(mark);
      };
    });
  }

  /** One call of `at`. */
  at(actor: Actor, time: number | Date): void {
    const { issued } = actor.identity;
    const ms = Number(time);
    const body: Body = (mark, metabyte) => {
      const id = actor.generator.at(time, metabyte);
      return () => {
        issued.given = true;
        const { tick, tickTock } = issued.look(id, metabyte ?? 0, mark.spent);
        this.#roundTrip(id);
        if (tick !== issued.tickOf(ms) || tickTock !== 0) {
          throw new Finding("outside", `${show(id)} is of tick ${tick}; ${ms} is tick ${issued.tickOf(ms)}`);
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
  later(actor: Actor, aborted: boolean): void {
    const { generator, identity } = actor;
    const { issued, era } = identity;
    const control = new AbortController();
    const open: Open = { actor, control, over: false };
    if (aborted) {
      this.abort(open);
    }
    const metabyte = this.#metabyte();
    const start = issued.mark();
    const turn = this.#turns++;
    this.tally.calls.nextAsync++;
    issued.tangled ||= this.depth > 0;
    this.depth++;
    const promise = generator.nextAsync({
      signal: control.signal,
      ...(metabyte === undefined ? {} : { metabyte }),
    });
    this.depth--;
    issued.hear(this.world.heard);
    this.open.push(open);
    const end = (checks: () => void) => {
      open.over = true;
      // IDs of an earlier process are lost.
      if (era === identity.era) {
        this.quietly(checks);
      }
    };
    promise.then(
      (id) =>
        end(() => {
          issued.closeAsynchronous(id, metabyte ?? 0, start, turn);
          this.#roundTrip(id);
        }),
      (error) => end(() => this.#judge(error, actor, "nextAsync", undefined, control.signal.aborted)),
    );
  }

  abort(open: Open): void {
    this.tally.events.aborted++;
    open.control.abort(new Own("aborted"));
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

  #metabyte(): number | undefined {
    const n = this.#metabytes++;
    return this.subject.kind === "sno" && n % 3 > 0 ? (n * 37) % 256 : undefined;
  }

  /** Runs a call, then its checks; or judges its error. Returns whether there was none. */
  #call(actor: Actor, call: Call, body: Body, time?: number): boolean {
    const { identity } = actor;
    const { issued, era } = identity;
    if (this.depth === 0) {
      this.world.listen();
    }
    this.tally.calls[call]++;
    this.depth++;
    try {
      const checks = body(issued.mark(), this.#metabyte());
      // The process may have died during the call.
      if (era === identity.era) {
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
      issued.hear(this.world.heard);
    }
  }

  /** Judges an error: a refusal with a reason, the caller's own error, or a defect. */
  #judge(error: unknown, actor: Actor, call: Call, time: number | undefined, aborted: boolean): void {
    if (error instanceof Finding) {
      throw this.found(error);
    }
    if (error instanceof Own) {
      if (!actor.watched && !aborted) {
        throw this.found(new Finding("exception", `${call} threw what another call's callback had thrown`));
      }
      this.tally.events.own++;
    } else if (!GraupelError.is(error) || !(error instanceof GraupelError)) {
      const said = error instanceof Error ? error.stack : show(error);
      throw this.found(new Finding("exception", `${call} threw ${said}`));
    } else {
      this.tally.refused(error.code);
      const heard = call === "nextAsync" ? this.world.ever : this.world.heard;
      const { source, randomness } = this.world.plan;
      const fickle = source !== undefined || randomness === "low";
      if (!actor.identity.issued.explains(error.code, call, time, heard, fickle)) {
        const said = `${heard.count} readings from ${heard.min} to ${heard.max}`;
        throw this.found(
          new Finding("error", `${call} refused with ${error.code} (${error.message}) after ${said}`),
        );
      }
    }
  }

  /** Parses a text to an ID, which must print the same text. */
  #parsed(text: string): Id {
    const { format } = this.subject;
    let id: Id;
    try {
      id = format.parse(text);
    } catch (error) {
      throw new Finding("outside", `${show(text)} does not parse: ${error}`);
    }
    if (format.format(id) !== text) {
      const again = show(format.format(id));
      throw new Finding("outside", `${show(text)} is the text of ${show(id)}, whose text is ${again}`);
    }
    return id;
  }

  #roundTrip(id: Id): void {
    const { format } = this.subject;
    if (format.parse(format.format(id)) !== id) {
      throw new Finding("outside", `${show(id)} is not what its text is parsed to`);
    }
  }

  /**
   * Compares the ticks of a call with the clock, if only this call has read it: none may be behind the reading of its ID, or further
   * ahead than the policy allows. Also counts events.
   */
  #timely({ identity: { issued }, policy, ahead, watched }: Actor, first: number, last: number): void {
    if (watched || this.depth > 1) {
      return;
    }
    const { heard } = this.world;
    const low = issued.tickOf(heard.first);
    const high = issued.tickOf(heard.last);
    if (first < low || last > high + ahead) {
      const readings = `readings of ticks ${low} to ${high}`;
      throw new Finding("outside", `ticks ${first} to ${last}, made at ${readings}, at most ${ahead} ahead`);
    }
    const { events, policies } = this.tally;
    events.held += high < issued.heard && last > high && policy.sequenceFull !== "borrow" ? 1 : 0;
    events.borrowed += last > Math.max(high, issued.heard) ? 1 : 0;
    policies.add(`${policy.clockBackwards}/${policy.sequenceFull}`);
  }
}

/** A call; it returns the checks of its result. */
type Body = (mark: Mark, metabyte: number | undefined) => () => void;
