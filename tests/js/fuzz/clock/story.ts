/**
 * Random stories for cases outside the search through small worlds (model/worlds): several clocks,
 * waits with timers, callbacks that call generators, and processes that die during a call and
 * continue from a snapshot, a time or both. A story is data (plan.ts): fast-check prints and
 * shrinks it.
 */
import assert from "node:assert/strict";
import { GraupelError } from "graupel";
import { IssuedIds } from "../../../support/issued.mjs";
import type { Id } from "../../support/any-format.ts";
import type { Values } from "../../support/expected.ts";
import { emptyRegistry } from "../../support/other-process.ts";
import { settled } from "../../support/scripted-clock.ts";
import { type Actor, aheadOf, Identity } from "./identity.ts";
import { type Act, CODES, DEEPEST, MOST_ACTS, MOST_IDS, type Policy, type Step, type Told } from "./plan.ts";
import { Crash, Own, World } from "./world.ts";

export class Story {
  readonly #world: World;
  readonly #identities: readonly Identity[];
  #actors: Actor[] = [];
  /** The snapshots of a process that died during a call. */
  #dead: ReadonlyMap<Identity, string> | undefined;
  /** The first defect. The code that it was thrown into may have swallowed it. */
  #defect: unknown;
  #open: { readonly control: AbortController; over: boolean }[] = [];
  #acts = 0;
  /** Whether callbacks are disabled. If each requested another ID, the story would never end. */
  #isCalm = false;
  #depth = 0;
  #choices = 0;
  /** Whether a callback has thrown during this call, which must then throw the same error. */
  #hasThrown = false;

  constructor(readonly told: Told) {
    const { subject, identities, sequence } = told;
    this.#world = new World(told);
    const issued = new IssuedIds();
    const isUnordered = sequence !== undefined && sequence.sequenceStart !== "random";
    this.#identities = identities.map((options) => new Identity(subject, options, issued, isUnordered));
  }

  /** Throws the first defect. */
  async play(): Promise<void> {
    const leave = this.#world.enter();
    emptyRegistry();
    try {
      for (const [i, policy] of this.told.policies.entries()) this.#make(this.#identity(i), policy);
      for (const one of this.told.steps) await this.#step(() => this.#plays[one.do](one as never));
      await this.#step(() => this.#end());
    } finally {
      leave();
      emptyRegistry();
    }
  }

  async #step(play: () => unknown): Promise<void> {
    this.#acts = 0;
    this.#world.readings = 0;
    let waiting: unknown;
    this.#quietly(() => {
      waiting = play();
    });
    await waiting;
    if (this.#open.length > 0) await settled();
    this.#open = this.#open.filter(({ over }) => !over);
    for (const error of this.#world.uncaught.splice(0)) if (!(error instanceof Own)) this.#defect ??= error;
    const dead = this.#dead;
    this.#dead = undefined;
    if (dead !== undefined) this.#quietly(() => this.#goOn(dead));
    if (this.#defect !== undefined) throw this.#defect;
  }

  #quietly(what: () => void): void {
    try {
      what();
    } catch (error) {
      this.#defect ??= error;
    }
  }

  readonly #plays: { readonly [K in Step["do"]]: (step: Extract<Step, { do: K }>) => unknown } = {
    clock: ({ dial, ticks }) => {
      this.#world.skews[dial % 3] = (this.#world.skews[dial % 3] as number) + ticks * this.#tickMs;
    },
    jump: ({ of, to, ticks }) => {
      const { format, reference } = this.told.subject;
      const { highest } = this.#identity(of);
      const places = {
        last: this.#identity(of).timeOf(highest),
        start: this.#identity(of).timeOf(Number((reference.lastTick * 90n) / 100n)),
        epoch: reference.spec.epoch,
        end: format.endOfLife,
      };
      this.#world.time = places[to] + ticks * this.#tickMs;
    },
    pace: ({ pace }) => {
      this.#world.pace = pace * this.#tickMs;
    },
    rubbish: ({ after }) => {
      this.#world.rubbishIn = after;
    },
    make: ({ of, policy }) => this.#make(this.#identity(of), policy),
    issue: ({ of, call, n, full }) => {
      const actor = this.#actor(of);
      // Generators of text IDs have no `nextTyped`.
      const there = actor.generator[call] === undefined ? "nextMany" : call;
      if (there === "next" || there === "nextText") {
        for (let i = 0; i < n && this.#dead === undefined; i++) this.#issue(actor, there);
      } else {
        const { sequenceMin = 0, sequenceMax } = actor.identity.options as Record<string, number>;
        const room =
          sequenceMax === undefined ? this.told.subject.format.capacity : sequenceMax - sequenceMin + 1;
        this.#issue(actor, there, Math.min(MOST_IDS, full * room + n));
      }
    },
    async: ({ of, n, abort }) => {
      const actor = this.#actor(of);
      const controls = [0, 1, 2].map(() => new AbortController());
      if (abort === "before") this.#abort(controls[0]);
      for (let i = 0; i < n && this.#dead === undefined; i++) this.#later(actor, controls[i % 3]);
      if (abort === "some") this.#abort(controls[1]);
    },
    settle: ({ rounds, ticks }) => this.#rounds(rounds, ticks),
    at: ({ of, ticks, n }) => {
      for (let i = 0; i < n && this.#dead === undefined; i++) this.#at(this.#actor(of), ticks + i - n);
    },
    save: ({ of }) => this.#save(this.#actor(of)),
    restore: ({ of, saved, policy }) => this.#restore(this.#actor(of).identity, saved, policy),
    restart: (again) => {
      const words = this.#lastWords();
      if (words !== undefined) this.#goOn(words, again);
    },
  };

  get #tickMs(): number {
    return this.told.subject.reference.spec.tickMs;
  }

  #identity = (of: number) => this.#identities[of % this.#identities.length] as Identity;
  #actor = (of: number): Actor =>
    this.#actors[of % this.#actors.length] ?? this.#make(this.#identity(of), undefined);
  #fellow(identity: Identity): Actor {
    const fellows = this.#actors.filter((actor) => actor.identity === identity);
    return fellows[this.#choices++ % fellows.length] ?? this.#make(identity, undefined);
  }

  /** Creates a generator. Its snapshot and `notBefore` apply from then on. */
  #make(identity: Identity, policy: Policy | undefined, more: Values = {}): Actor {
    const { dial = 0, onClockBackwards, onOverflow, ...options }: Partial<Policy> = policy ?? {};
    const { sequence, subject } = this.told;
    let actor: Actor | undefined;
    const acting = (act: Act | undefined) => act && (() => actor !== undefined && this.#act(act, actor));
    const { name } = subject.reference.spec;
    const toggles = options.clockBackwards === "tick-tock" && name !== "sno";
    const generator = subject.format.generator({
      ...identity.options,
      ...options,
      ...(toggles && { clockBackwards: "hold" }),
      ...sequence,
      clock: dial === 11 ? undefined : this.#world.clock(dial % 3),
      onClockBackwards: acting(onClockBackwards),
      onOverflow: acting(onOverflow),
      ...more,
    });
    const isWatched = (onClockBackwards ?? onOverflow) !== undefined;
    actor = { generator, identity, ahead: aheadOf(subject, options), isWatched };
    this.#actors.push(actor);
    if (more.notBefore !== undefined) identity.spend(more.notBefore as number);
    return actor;
  }

  /** Makes a call, then runs its checks or judges its error. */
  #call<T>(actor: Actor, call: () => T, checks: (made: T) => void): void {
    if (this.#depth++ === 0) this.#world.first = Number.NaN;
    this.#hasThrown = false;
    try {
      const made = call();
      assert.ok(!this.#hasThrown, "what a callback threw is lost");
      // If the process died during the call, its IDs are lost.
      if (this.#actors.includes(actor)) checks(made);
    } catch (error) {
      if (error instanceof Crash && this.#depth > 1) throw error;
      this.#judge(error, actor);
    } finally {
      this.#depth--;
      this.#hasThrown = false;
    }
  }

  #issue(actor: Actor, call: Extract<Step, { do: "issue" }>["call"], n?: number): void {
    const { generator, identity } = actor;
    const { reference: r } = this.told.subject;
    const mark = identity.mark();
    this.#call(
      actor,
      () => (generator[call] as (n?: number) => unknown)(...(n === undefined ? [] : [n])),
      (made) => {
        const ids = [...(n === undefined ? [made as Id] : (made as Iterable<Id>))];
        assert.equal(ids.length, n ?? 1);
        identity.enter(call.endsWith("Text") ? ids.map((text) => r.idOf(r.read(String(text)))) : ids, mark);
        // Otherwise, nested calls may have read the clock as well.
        if (!actor.isWatched && this.#depth === 1) identity.near(ids, this.#world, actor.ahead);
      },
    );
  }

  /** Calls `at` with a time this many ticks after the world's time. */
  #at(actor: Actor, ticks: number): void {
    const { generator, identity } = actor;
    const { spent } = identity;
    const time = this.#world.time + ticks * this.#tickMs;
    this.#call(
      actor,
      () => generator.at(time),
      (id) => {
        const { tick } = identity.look(id, spent);
        assert.equal(BigInt(tick), this.told.subject.reference.tick(time), `${id} for ${time}`);
      },
    );
  }

  #snapshot(actor: Actor): string | undefined {
    let json: string | undefined;
    this.#call(
      actor,
      () => actor.generator.snapshot(),
      (snapshot) => {
        json = JSON.stringify(snapshot);
      },
    );
    return json;
  }

  #later(actor: Actor, control = new AbortController()): void {
    const { generator, identity } = actor;
    const open = { control, over: false };
    const enter = identity.queued(this.#depth > 0);
    this.#open.push(open);
    this.#depth++;
    const promise = generator.nextAsync({ signal: control.signal });
    this.#depth--;
    // The error rejects the promise or is reported to the platform.
    this.#hasThrown = false;
    const end = (checks: () => void) => {
      open.over = true;
      if (this.#actors.includes(actor)) this.#quietly(checks);
    };
    promise.then(
      (id) => end(() => enter(id)),
      (error) => end(() => this.#judge(error, actor, control)),
    );
  }

  #abort(control: AbortController | undefined): void {
    control?.abort(new Own("aborted", control));
  }

  /** Only errors of the given owners, and those for clocks or full ticks, are acceptable. */
  #judge(error: unknown, ...owners: readonly object[]): void {
    if (error instanceof Own) {
      const isOurs = error.owner === undefined || owners.includes(error.owner);
      assert.ok(isOurs, `a call threw what another call's callback or signal had thrown: ${error.message}`);
    } else if (!(GraupelError.is(error) && CODES.includes(error.code))) throw error;
  }

  #save(actor: Actor): void {
    const json = this.#snapshot(actor);
    if (json !== undefined) actor.identity.saved.splice(this.#choices++ % 8, 1, json);
  }

  /** Adds a generator that continues from an old snapshot of the identity. */
  #restore(identity: Identity, which: number, policy?: Policy): void {
    const json = identity.saved[which % Math.max(1, identity.saved.length)];
    if (json === undefined) return;
    this.#make(identity, policy, { snapshot: JSON.parse(json) });
  }

  /** A last snapshot of every identity; undefined if a clock cannot be read. */
  #lastWords(): Map<Identity, string> | undefined {
    this.#world.rubbishIn = 0;
    const words = this.#identities.map((one) => [one, this.#snapshot(this.#fellow(one))] as const);
    return words.some(([, json]) => json === undefined) ? undefined : new Map(words as [Identity, string][]);
  }

  /** Starts another process, which continues from the snapshots of the last one. */
  #goOn(words: ReadonlyMap<Identity, string>, again?: Partial<Extract<Step, { do: "restart" }>>): void {
    const { knows = "snapshot", after = 0, policies = [undefined], early = false } = again ?? {};
    this.#actors = [];
    emptyRegistry();
    for (const { control } of this.#open) this.#abort(control);
    for (const [identity, json] of words) {
      const [first, ...others] = policies as readonly (Policy | undefined)[];
      const old = knows === "old" ? (identity.saved[0] ?? json) : json;
      const notBefore = identity.timeOf(identity.highest + 1 + after);
      if (knows === "old" || knows === "time") identity.spent = -1;
      const makeOthers = () => {
        for (const policy of others) this.#make(identity, policy);
      };
      if (early) makeOthers();
      this.#make(identity, first, {
        ...(knows !== "time" && { snapshot: JSON.parse(old) }),
        ...(knows !== "snapshot" && { notBefore: Math.min(notBefore, 8.64e15) }),
      });
      if (!early) makeOthers();
    }
  }

  /** Performs a callback's action. */
  #act(act: Act, actor: Actor): void {
    // The timers of a dead process still fire, but must do nothing.
    const isGone = !this.#actors.includes(actor);
    if (isGone || this.#isCalm || this.#acts++ >= MOST_ACTS || this.#depth > DEEPEST) return;
    const { identity } = actor;
    const fellow = this.#fellow(identity);
    const does: { readonly [K in Act]: () => unknown } = {
      next: () => this.#issue(fellow, "next"),
      many: () => this.#issue(fellow, "nextMany", 3),
      at: () => this.#at(fellow, -50),
      async: () => this.#later(fellow),
      abort: () => this.#abort(this.#open.find(({ over }) => !over)?.control),
      throw: () => {
        this.#hasThrown = true;
        throw new Own("thrown by a callback", actor);
      },
      save: () => this.#save(actor),
      restore: () => this.#restore(identity, this.#choices),
      spend: () =>
        this.#make(identity, undefined, {
          notBefore: Math.min(identity.timeOf(identity.highest + 1), 8.64e15),
        }),
      crash: () => {
        if (this.#dead !== undefined) return;
        this.#dead = this.#lastWords();
        if (this.#dead === undefined) return;
        this.#actors = [];
        throw new Crash("the process died");
      },
      clock: () => {
        this.#world.time -= 3 * this.#tickMs;
      },
    };
    does[act]();
  }

  /** Lets time pass for waiting calls. */
  async #rounds(count: number, ticks: number): Promise<void> {
    for (let i = 0; i < count && this.#world.timers.length > 0 && this.#dead === undefined; i++) {
      this.#world.time += ticks * this.#tickMs;
      this.#acts = 0;
      this.#depth++;
      this.#world.fire();
      this.#depth--;
      await settled();
    }
  }

  /** Every waiting call must end, and later every identity must issue an ID at once. */
  async #end(): Promise<void> {
    const world = this.#world;
    [world.pace, world.rubbishIn, this.#isCalm] = [this.#tickMs / 8, 0, true];
    for (let i = 0; i < 2000 && this.#open.some(({ over }) => !over); i++) {
      await this.#rounds(1, 1);
    }
    assert.ok(
      this.#open.every(({ over }) => over),
      "an asynchronous call has not ended",
    );
    for (const identity of this.#identities) {
      const highest = identity.timeOf(Math.max(identity.highest, identity.spent));
      const later = Math.max(world.time, world.latest, highest) + 1e8;
      const { lastTick, spec } = this.told.subject.reference;
      const tick = Math.ceil((later - spec.epoch) / spec.tickMs) + 30_000;
      if (tick > Number(lastTick)) continue;
      [world.time, world.pace, world.readings] = [identity.timeOf(tick), 0, 0];
      world.skews.fill(0);
      const mark = identity.mark();
      identity.enter([this.#fellow(identity).generator.next()], mark);
    }
  }
}
