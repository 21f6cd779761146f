// Plays the stories in tests/stories/*.json with the package; tests/core/engine/script.rs plays
// them with the core. tests/stories/README.md documents scripts and answers.
import assert from "node:assert/strict";
import { GraupelError } from "graupel";
import type { AnyGenerator, Id, Snapshot } from "../support/any-format.ts";
import type { FormatUnderTest } from "../support/formats.ts";
import { OtherProcess, registry } from "../support/other-process.ts";
import { hurried, rushed, ScriptedClock } from "../support/scripted-clock.ts";
import type { Call } from "./stage.ts";
import { type Heard, nonzero, type Story, said, WORDS } from "./story.ts";

/** Sets the interval (the last two saved numbers) of this process's only state, in ticks. */
function setOnlyInterval(interval: readonly number[]): void {
  const [[state] = [], ...others] = registry()?.states.values() ?? [];
  assert.ok(state !== undefined && others.length === 0);
  const numbers = state.save();
  numbers.set(interval, numbers.length - interval.length);
  state.restore(numbers);
}

/** How many values a tick has in a story. The player uses up the other values of the format. */
const POOL = 4;

/** How many ticks `hold` and `borrow` may run ahead of the clock by default. */
const AHEAD = 5;

/** Longer than any wait in a story without a bound. */
const PATIENCE_MS = 1e9;

/** A start that leaves four values, and steps of 1. */
const draw = (bytes: Uint8Array) => {
  bytes.fill(bytes.length === 1 ? 1 : 0xff);
  if (bytes.length > 1) {
    bytes[bytes.length - 1] = 0x100 - POOL;
  }
};

/** A call that yields promises of IDs and receives the IDs. */
type Awaiting<T> = Generator<Promise<Id>, T, Id>;

/** How long before the end of a tick a reading is: a fraction that Mastodon does not round up. */
const FRACTION_MS = 0.75;

/** The details of a GraupelError. */
const partsOf = ({ code, field, value, range }: GraupelError) => [code, field, value, range];

/** A snapshot after a round trip through JSON, which must not change it. */
function stored(generator: AnyGenerator): Snapshot {
  const snapshot = generator.snapshot();
  const copy = JSON.parse(JSON.stringify(snapshot));
  assert.deepEqual(copy, snapshot, "changed by JSON");
  return copy;
}

export class Player {
  readonly #clock = new ScriptedClock();
  readonly #heard: Heard[] = [];
  readonly #origin: number;
  readonly #tick: number;
  readonly #maxWaitMs: number;
  readonly #saved = new Map<string, Snapshot>();
  #policy: string;
  /** Gets a call at each reading and never waits. */
  #impatient: AnyGenerator;
  /** Gets each call once, and waits like a user's generator. */
  #patient: AnyGenerator;
  /**
   * The processes of the two; undefined in stories that do not access states: both are isolated.
   */
  #processes: readonly (OtherProcess | undefined)[] = [];
  /** The number of IDs issued, and how many of them used up a tick. */
  #issued = 0;
  #usedUp = 0;
  /** The number of IDs in each tick of a kept counter. */
  readonly #counts = new Map<string, number>();

  constructor(
    readonly subject: FormatUnderTest,
    readonly story: Story,
    readonly policy: string,
    readonly call: Call,
  ) {
    const { epoch, endOfLife, layout } = subject.format;
    this.#tick = layout.tickMs;
    this.#origin = story.origin === "last" ? endOfLife : epoch;
    this.#policy = policy;
    const [ticks, ms] = story.wait ?? [0, PATIENCE_MS];
    this.#maxWaitMs = ticks * this.#tick + ms;
    // A snapshot reads the clock, even before the first call.
    this.#clock.stand(this.#late(0));
    [this.#impatient, this.#patient] = this.#begin();
  }

  async play(): Promise<string> {
    const words = this.#words();
    for (let step = words.next(); !step.done; ) {
      try {
        step = words.next(await step.value);
      } catch (error) {
        step = words.throw(error);
      }
    }
    assert.equal(this.#patient.stats().issued, this.#issued, "IDs that nobody has seen were counted");
    return this.#heard.map(said).join(" ");
  }

  /** Plays the script. Yields only what must be awaited: some test runners make promises slow. */
  *#words(): Awaiting<void> {
    for (const word of this.story.script.split(" ")) {
      const [call = "", times = "1"] = word.split("*");
      for (let i = 0; i < Number(times); i++) {
        yield* this.#word(call);
      }
    }
  }

  /** Creates both generators in new processes. `options` override those of the story. */
  #begin(options: readonly object[] = []): [AnyGenerator, AnyGenerator] {
    this.#issued = 0;
    this.#usedUp = 0;
    const isShared = this.story.script.includes("merge") || this.story.interval !== undefined;
    this.#processes = [0, 1].map(() => (isShared ? new OtherProcess() : undefined));
    return [this.#make(0, options[0]), this.#make(1, options[1])];
  }

  #make(which: 0 | 1, options: object = {}): AnyGenerator {
    const { subject, story } = this;
    const [clockBackwards, sequenceFull] = this.#policy.split("/");
    const process = this.#processes[which];
    const make = () =>
      subject.format.generator({
        ...subject.fixed,
        ...subject.room("scarce"),
        ...(subject.isRandom ? { random: draw } : { isolated: process === undefined }),
        clock: this.#clock.read,
        clockBackwards,
        sequenceFull,
        maxWaitMs: which === 0 ? 0 : this.#maxWaitMs,
        maxAheadMs: (story.ahead ?? AHEAD) * this.#tick,
        ...options,
      });
    if (process === undefined) {
      return make();
    }
    const generator = process.wrap(process.run(make));
    if (story.interval !== undefined) {
      generator.stats();
      process.run(() => setOnlyInterval(story.interval as readonly number[]));
    }
    return generator;
  }

  *#word(word: string): Awaiting<void> {
    if (word.startsWith("@")) {
      this.#at(Number(word.slice(1)));
    } else if (word === "stats" || word === "waits") {
      this.#heard.push({ before: word === "stats" ? this.#stats() : this.#waits() });
    } else if (word === "restart" || word === "told" || word.includes("/")) {
      this.#policy = word === "restart" ? this.#policy : word === "told" ? this.policy : word;
      this.#restart({});
    } else if (word === "fresh") {
      [this.#impatient, this.#patient] = this.#begin();
    } else if (word.includes(":")) {
      this.#snapshot(...(word.split(":") as [string, string]));
    } else {
      const [, ticks = "", how = ""] = /^([^?!]*)([?!]?)$/.exec(word) ?? [];
      const readings = ticks.split(",").map((tick) => this.#late(Number(tick)));
      yield* this.#next(readings as [number], how);
    }
  }

  /** Continues with new generators from snapshots, which they must return unchanged. */
  #restart(options: object): void {
    const [snapshot, other] = [stored(this.#impatient), stored(this.#patient)];
    [this.#impatient, this.#patient] = this.#begin([
      { ...options, snapshot },
      { ...options, snapshot: other },
    ]);
    if (!("notBefore" in options)) {
      assert.deepEqual(this.#impatient.snapshot(), snapshot);
    }
  }

  #snapshot(word: string, name: string): void {
    if (word === "spend") {
      this.#restart({ notBefore: this.#begins(Number(name)) });
    } else if (word === "save") {
      this.#saved.set(name, stored(this.#impatient));
    } else {
      // Creates other generators of the identity, which stay unused.
      for (const which of [0, 1] as const) this.#make(which, { snapshot: this.#saved.get(name) });
    }
  }

  /** The first time in a tick: half a millisecond earlier if times are rounded. */
  #begins(tick: number): number {
    return this.#origin + tick * this.#tick - (this.subject.name === "mastodon" ? 0.5 : 0);
  }

  #stats(): string {
    const { issued, clockRegressions, largestRegressionMs, overflows, aheadMs } = this.#patient.stats();
    return nonzero({
      issued: issued - this.#usedUp,
      back: clockRegressions,
      by: largestRegressionMs / this.#tick,
      full: overflows,
      ahead: aheadMs / this.#tick,
    });
  }

  /** Each wait starts at a reading late in a tick. */
  #waits(): string {
    const { waits, waitedMs } = this.#patient.stats();
    return nonzero({ waits, waited: (waitedMs - waits * FRACTION_MS) / this.#tick });
  }

  #late(tick: number): number {
    return this.#origin + (tick + 1) * this.#tick - FRACTION_MS;
  }

  #ask(reading: number): Id | GraupelError {
    this.#clock.stand(reading);
    try {
      return this.call === "next" ? this.#impatient.next() : (this.#impatient.nextMany(1)[0] as Id);
    } catch (error) {
      assert.ok(GraupelError.is(error), String(error));
      return error;
    }
  }

  /** With "?", gives up instead of waiting. With "!", waits on a clock that stands still. */
  *#next([first, ...more]: readonly [number, ...number[]], how: string): Awaiting<void> {
    const readings = [first];
    for (let text = ""; ; ) {
      const now = readings.at(-1) as number;
      const answer = this.#ask(now);
      if (!GraupelError.is(answer)) {
        assert.equal(yield* this.#inOneGo(readings), answer, "had the refused calls not been made");
        this.#issue(text, "", answer, now);
        return;
      }
      this.#leavesNoTrace();
      const { code, field, value } = answer;
      text += WORDS[code];
      if (field !== "maxWaitMs") {
        assert.deepEqual(partsOf(answer), this.#refusal(code, now));
        yield* this.#refused(readings, answer);
        this.#heard.push({ before: text });
        return;
      }
      const until = now + (value as number);
      assert.deepEqual(partsOf(answer), [code, "maxWaitMs", until - now, { min: 0, max: 0 }]);
      text += `~${(until - this.#origin) / this.#tick}`;
      // For `next`, the bound applies to the whole call; for the other calls, to each wait.
      const waits = until - (this.call === "next" ? first : now);
      if (how === "?" || waits > this.#maxWaitMs) {
        if (how !== "?") {
          const range = { min: 0, max: this.#maxWaitMs };
          yield* this.#refused(readings, { code, field: "maxWaitMs", value: waits, range });
        }
        this.#heard.push({ before: text });
        return;
      }
      if (how === "!") {
        yield* this.#refused(readings, { code: "CLOCK_STUCK", field: "clock", value: now, range: undefined });
        this.#heard.push({ before: `${text}=stuck` });
        return;
      }
      text += "=";
      assert.ok(until > now, `waits for ${until}, which has passed`);
      while ((more[0] as number) < until) {
        readings.push(more.shift() as number);
      }
      if (more.length === 0 && until - this.#tick > (readings.at(-1) as number)) {
        readings.push(until - this.#tick);
        assert.deepEqual(partsOf(this.#ask(until - this.#tick) as GraupelError), [
          code,
          "maxWaitMs",
          this.#tick,
          { min: 0, max: 0 },
        ]);
      }
      readings.push(more.shift() ?? until);
    }
  }

  /** The details of an error that waiting cannot resolve. */
  #refusal(code: string, reading: number) {
    const { epoch, endOfLife } = this.subject.format;
    const range = { min: epoch, max: endOfLife + this.#tick };
    const isEnd = code === "BEFORE_EPOCH" || code === "END_OF_LIFE";
    const field = { SEQUENCE_FULL: this.subject.counts, TIME_TAKEN: "time" }[code] ?? "clock";
    return [code, field, reading, isEnd ? range : undefined];
  }

  /** Makes the same call of the patient generator, which must fail. */
  *#refused(
    readings: readonly number[],
    error: Pick<GraupelError, "code" | "field" | "value" | "range">,
  ): Awaiting<void> {
    let id: Id | undefined;
    try {
      id = yield* this.#inOneGo(readings);
    } catch (refusal) {
      assert.ok(GraupelError.is(refusal), String(refusal));
      assert.deepEqual(partsOf(refusal), partsOf(error as GraupelError));
      this.#leavesNoTrace();
      return;
    }
    assert.fail(`${id} instead of ${error.code}`);
  }

  /** After a failed call of one generator, both must still have the same state. */
  #leavesNoTrace(): void {
    const [mine, other] = [this.#impatient, this.#patient].map((generator) =>
      JSON.stringify(generator.snapshot()),
    );
    assert.equal(mine, other, "a refused call left a trace");
  }

  *#inOneGo(readings: readonly number[]): Awaiting<Id> {
    this.#clock.script(readings);
    const id =
      this.call === "next"
        ? rushed(() => this.#patient.next())
        : this.call === "nextMany"
          ? (rushed(() => this.#patient.nextMany(1))[0] as Id)
          : yield hurried(() => this.#patient.nextAsync());
    assert.equal(
      this.#clock.taken.join(),
      readings.join(),
      "the clock is read until it is time, and no longer",
    );
    return id;
  }

  #at(tick: number): void {
    const time = this.#late(tick);
    try {
      const id = this.#impatient.at(time);
      assert.equal(this.#patient.at(time), id, "had the refused calls not been made");
      this.#issue("", "@", id, time);
    } catch (error) {
      assert.ok(GraupelError.is(error), String(error));
      assert.deepEqual(partsOf(error), this.#refusal(error.code, time));
      this.#heard.push({ before: `@${WORDS[error.code]}` });
    }
  }

  #issue(before: string, given: "" | "@", id: Id, reading: number): void {
    this.#issued++;
    const { format, fixed, counts, perTick, first } = this.subject;
    assert.ok(format.isValid(id), `${id} is no ID of the format`);
    const { ticks, tickTock, [counts]: value } = format.inspect(id);
    const tick = `${given}${ticks - (this.#origin - format.epoch) / this.#tick}`;
    const mark = tickTock === 1 ? "'" : "";
    let index = (value as number) - first;
    if (fixed.sequenceStart === "continue" && given === "" && this.story.sequence === undefined) {
      // A kept counter starts anywhere, but a tick holds the same number of values.
      index = this.#counts.get(tick) ?? 0;
      this.#counts.set(tick, index + 1);
      if (index === 0) {
        this.#useUp(perTick - POOL, given, reading);
      }
    } else if (this.subject.isRandom) {
      index -= format.capacity - POOL;
    } else if (index > 0) {
      index -= perTick - POOL;
    } else {
      this.#useUp(perTick - POOL, given, reading);
    }
    const last = this.#heard.at(-1);
    if (before === "" && last?.tick === tick && last.mark === mark && last.last === index - 1) {
      last.last = index;
    } else {
      this.#heard.push({ before, tick, mark, first: index, last: index });
    }
  }

  /** After the first ID of a tick, uses up the values that the story does not have. */
  #useUp(count: number, given: string, reading: number): void {
    if (count === 0) {
      return;
    }
    this.#issued += count;
    this.#usedUp += count;
    this.#clock.stand(reading);
    for (const generator of [this.#impatient, this.#patient]) {
      if (given !== "") {
        for (let i = 0; i < count; i++) {
          generator.at(reading);
        }
      } else {
        // `nextTyped` is much faster, because it does not create a value for each ID.
        (generator.nextTyped ?? generator.nextMany)(count);
      }
    }
  }
}
