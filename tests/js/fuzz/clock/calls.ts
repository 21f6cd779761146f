/** The calls of a story, each with the checks of its result. */
import { GraupelError } from "graupel";
import type { AnyGenerator, Id } from "../../support/any-format.ts";
import type { Random } from "../../support/random.ts";
import type { Actor, Open } from "./actors.ts";
import { Crash, Finding, Own } from "./finding.ts";
import { type Mark, show } from "./issued.ts";
import type { Plan } from "./plan.ts";
import { reasonable } from "./reasons.ts";
import type { Batch } from "./step.ts";
import type { Call, Tally } from "./tally.ts";
import type { World } from "./world.ts";

export class Calls {
  /** The first defect. It may have been thrown where nobody catches it, so it is also kept here. */
  finding: Finding | undefined;
  readonly open: Open[] = [];
  #turns = 0;
  protected depth = 0;

  constructor(
    readonly plan: Plan,
    readonly world: World,
    readonly dice: Random,
    readonly tally: Tally,
  ) {}

  get subject() {
    return this.plan.subject;
  }

  /** One call of `next`. Returns whether there is an ID. */
  single(actor: Actor, text: boolean): boolean {
    const { generator, identity } = actor;
    return this.call(actor, text ? "nextText" : "next", (start, metabyte) => {
      const made = text ? generator.nextText(metabyte) : generator.next(metabyte);
      if (this.gone(actor, start)) {
        return;
      }
      const id = text ? this.fromText(made as string) : (made as Id);
      this.check(() => {
        identity.issued.enter(id, metabyte ?? 0, start.mark);
        this.roundTrip(id);
        this.timely(actor, identity.issued.parts.tick, identity.issued.parts.tick);
        this.tally.events.clocks += identity.dial === actor.dial ? 0 : 1;
        identity.dial = actor.dial;
      });
      identity.issued.close(start.mark);
    });
  }

  /** One call for many IDs. Generators of texts have no `nextTyped`: they get `nextMany` in its place. */
  batch(actor: Actor, n: number, wanted: Batch): void {
    const { generator, identity } = actor;
    const { issued } = identity;
    const text = wanted === "nextManyText";
    const call = wanted === "nextTyped" && generator.nextTyped === undefined ? "nextMany" : wanted;
    this.call(actor, call, (start, metabyte) => {
      const many = (generator[call] as AnyGenerator["nextMany"])(
        n,
        ...(call === "nextTyped" ? [] : [metabyte]),
      );
      if (this.gone(actor, start)) {
        return;
      }
      this.check(() => {
        if (many.length !== n) {
          throw new Finding("outside", `${many.length} IDs instead of ${n}`);
        }
        let first = -1;
        for (let i = 0; i < n; i++) {
          const id = many[i] as Id;
          issued.enter(text ? this.fromText(id as string) : id, metabyte ?? 0, start.mark);
          first = i === 0 ? issued.parts.tick : first;
        }
        if (n > 0) {
          this.timely(actor, first, issued.parts.tick);
        }
      });
      issued.close(start.mark);
    });
  }

  /** One call of `at`. */
  given(actor: Actor, time: number | Date): void {
    const { generator, identity } = actor;
    const { issued } = identity;
    const ms = Number(time);
    this.call(
      actor,
      "at",
      (start, metabyte) => {
        const id = generator.at(time, metabyte);
        if (this.gone(actor, start)) {
          return;
        }
        issued.given = true;
        this.check(() => {
          issued.look(id, metabyte ?? 0, start.mark.spent);
          this.roundTrip(id);
          const { tick, tickTock } = issued.parts;
          if (tick !== issued.tickOf(ms) || (this.subject.kind === "sno" && tickTock !== 0)) {
            throw new Finding(
              "outside",
              `${show(id)} is of tick ${tick}; ${ms} is tick ${issued.tickOf(ms)}`,
            );
          }
        });
      },
      ms,
    );
  }

  /** One call of `nextAsync`. */
  later(actor: Actor, aborted: boolean): void {
    const { generator, identity } = actor;
    const control = new AbortController();
    if (aborted) {
      this.abort(control);
    }
    const metabyte = this.metabyte();
    const open: Open = {
      actor,
      era: identity.era,
      start: identity.issued.mark(),
      metabyte: metabyte ?? 0,
      control,
      turn: this.#turns++,
      over: false,
    };
    this.tally.calls.nextAsync++;
    identity.issued.tangled ||= this.depth > 0;
    this.depth++;
    const promise = generator.nextAsync({
      signal: control.signal,
      ...(metabyte === undefined ? {} : { metabyte }),
    });
    this.depth--;
    identity.issued.hear(this.world.heard.max);
    this.open.push(open);
    const end = (what: () => void) => {
      open.over = true;
      // IDs of an earlier process are lost.
      if (open.era === identity.era) {
        this.quietly(what);
      }
    };
    promise.then(
      (id) =>
        end(() => {
          identity.issued.closeAsynchronous(id, open.metabyte, open.start, open.turn);
          this.roundTrip(id);
        }),
      (error) => end(() => this.judge(error, actor, "nextAsync", undefined, control.signal.aborted)),
    );
  }

  abort(control: AbortController): void {
    this.tally.events.aborted++;
    control.abort(new Own("aborted"));
  }

  protected metabyte(): number | undefined {
    return this.subject.kind === "sno" && this.dice.chance(0.7) ? this.dice.below(256) : undefined;
  }

  /** Runs a call, and judges its error. Returns whether there was none. */
  protected call(
    actor: Actor,
    call: Call,
    body: (start: { mark: Mark; era: number }, metabyte: number | undefined) => void,
    time?: number,
  ): boolean {
    const { issued, era } = actor.identity;
    if (this.depth === 0) {
      this.world.listen();
    }
    this.tally.calls[call]++;
    this.depth++;
    try {
      body({ mark: issued.mark(), era }, this.metabyte());
      return true;
    } catch (error) {
      if (error instanceof Crash && this.depth > 1) {
        throw error;
      }
      this.judge(error, actor, call, time, false);
      return false;
    } finally {
      this.depth--;
      if (this.world.heard.count > 0) {
        issued.hear(this.world.heard.max);
      }
    }
  }

  /** Whether the process has died during the call. */
  private gone(actor: Actor, start: { era: number }): boolean {
    return actor.identity.era !== start.era;
  }

  /** Runs checks, and keeps what they find. */
  protected check(checks: () => void): void {
    try {
      checks();
    } catch (error) {
      if (error instanceof Finding) {
        this.finding ??= error;
      }
      throw error;
    }
  }

  protected quietly(checks: () => void): void {
    try {
      checks();
    } catch (error) {
      this.finding ??= error instanceof Finding ? error : new Finding("exception", `${error}`);
    }
  }

  /** Judges an error: a refusal with a reason, the caller's own error, or a defect. */
  protected judge(
    error: unknown,
    actor: Actor,
    call: Call,
    time: number | undefined,
    aborted: boolean,
  ): void {
    if (error instanceof Finding) {
      this.finding ??= error;
      throw error;
    }
    this.check(() => {
      if (error instanceof Own) {
        if (!actor.watched && !aborted) {
          throw new Finding("exception", `${call} threw what another call's callback had thrown`);
        }
        this.tally.own++;
      } else if (!(error instanceof GraupelError) || !GraupelError.is(error)) {
        throw new Finding("exception", `${call} threw ${error instanceof Error ? error.stack : show(error)}`);
      } else {
        this.tally.errors[error.code] = (this.tally.errors[error.code] ?? 0) + 1;
        const fickle = this.plan.source !== undefined || this.plan.randomness === "low";
        if (!reasonable(error.code, { call, actor, time, fickle }, this.subject, this.world)) {
          const { count, min, max } = this.world.heard;
          const heard = `${count} readings from ${min} to ${max}`;
          throw new Finding("error", `${call} refused with ${error.code} (${error.message}) after ${heard}`);
        }
      }
    });
  }

  /** Parses a text to an ID, which must print the same text. */
  private fromText(text: string): Id {
    const { format } = this.subject;
    let id: Id;
    try {
      id = format.parse(text);
    } catch (error) {
      throw new Finding("outside", `${show(text)} does not parse: ${error}`);
    }
    if (format.format(id) !== text) {
      throw new Finding(
        "outside",
        `${show(text)} is the text of ${show(id)}, whose text is ${show(format.format(id))}`,
      );
    }
    return id;
  }

  private roundTrip(id: Id): void {
    const { format } = this.subject;
    if (format.parse(format.format(id)) !== id) {
      throw new Finding("outside", `${show(id)} is not what its text is parsed to`);
    }
  }

  /**
   * Compares the ticks of a call with the clock, if only this call has read it: none may be behind the reading of its ID, or further
   * ahead than the policy allows. Also counts events.
   */
  private timely(actor: Actor, first: number, last: number): void {
    const { heard } = this.world;
    const { issued } = actor.identity;
    const { policy, ahead } = actor;
    if (actor.watched || this.depth > 1) {
      return;
    }
    const low = issued.tickOf(heard.first);
    const high = issued.tickOf(heard.last);
    if (first < low || last > high + ahead) {
      throw new Finding(
        "outside",
        `ticks ${first} to ${last}, made at readings of ticks ${low} to ${high}, at most ${ahead} ahead`,
      );
    }
    const { events } = this.tally;
    events.held += high < issued.heard && last > high && policy.sequenceFull !== "borrow" ? 1 : 0;
    events.borrowed += last > Math.max(high, issued.heard) ? 1 : 0;
    this.tally.policies.add(`${policy.clockBackwards}/${policy.sequenceFull}`);
  }
}
