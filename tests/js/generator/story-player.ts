// Plays the stories of tests/stories/*.json with the package; tests/engine/script.rs plays them with the core. The form of
// scripts and answers is in tests/stories/README.md.
import assert from "node:assert/strict";
import { GraupelError } from "graupel";
import { snowflakeSI } from "graupel/snowflake-si";
import type { AnyFormat, AnyGenerator, Id } from "../support/any-format.ts";
import { EPOCH } from "../support/row.ts";
import { type Call, hurried, ScriptedClock } from "./scripted-clock.ts";
import { FULL, SUBJECTS, type Subject } from "./subjects.ts";

export interface Story {
  readonly name: string;
  readonly about?: "sno" | "not sno" | "counters" | "random";
  readonly origin?: "last";
  /** Played by Rust only: there is no option for an interval yet. */
  readonly interval?: readonly [from: number, until: number];
  /** Snowflake-SI's options, for its layout of four values a millisecond. */
  readonly sequence?: { readonly keep?: true; readonly threshold?: number };
  readonly ahead?: number;
  readonly under?: string;
  readonly script: string;
  readonly answers: Readonly<Record<string, string>>;
}

/** The values that a tick holds in a story; the player uses up the others of the format. */
const POOL = 4;

/** How far `hold` and `borrow` may run ahead of the clock, in ticks, unless the story says otherwise. */
const AHEAD = 5;

/** Longer than any wait in a story. */
const PATIENCE_MS = 1e9;

/** The words of the stories for codes. */
const WORDS: Readonly<Record<string, string>> = {
  CLOCK_BACKWARDS: "back",
  SEQUENCE_FULL: "full",
  TIME_TAKEN: "taken",
  BEFORE_EPOCH: "before",
  END_OF_LIFE: "ended",
};

/** Larger counters take seconds to use up call by call. */
const LARGE = 5000;

const isRandom = ({ page }: Subject): boolean => page === "ulid-flake";

/** The subjects that a story applies to. */
export function subjectsOf({ about, sequence, script }: Story): readonly Subject[] {
  const [si] = SUBJECTS.filter(({ name }) => name === "snowflake-si") as [Subject];
  if (sequence !== undefined) {
    const format = snowflakeSI({
      epoch: EPOCH,
      clockBits: 41,
      machineBits: 10,
      sequenceBits: 2,
    }) as unknown as AnyFormat;
    const { keep, threshold } = sequence;
    const how = keep ? { onNewMillisecond: "keep" } : { sequenceResetThreshold: threshold };
    return [{ ...si, format, fixed: { ...si.fixed, ...how }, perTick: format.capacity }];
  }
  return SUBJECTS.filter(
    (subject) =>
      subject.fixed.onNewMillisecond === undefined &&
      !(script.includes("@") && subject.perTick > LARGE) &&
      {
        all: true,
        sno: subject.page === "sno",
        "not sno": subject.page !== "sno",
        counters: !isRandom(subject),
        random: isRandom(subject),
      }[about ?? "all"],
  );
}

/** Whether one of the patterns of a row covers a policy. */
export const covers = (row: string, policy: string): boolean =>
  row.split(" ").some((pattern) => {
    const [first, second = "*"] = pattern.split("/");
    const [backwards, full] = policy.split("/");
    return (first === "*" || first === backwards) && (second === "*" || second === full);
  });

/** Every combination of policies that a format has. */
export const policiesOf = ({ backwards }: Subject): string[] =>
  backwards.flatMap((first) => FULL.map((second) => `${first}/${second}`));

/** A start that leaves four values, and steps of 1. */
const draw = (bytes: Uint8Array) => {
  bytes.fill(bytes.length === 1 ? 1 : 0xff);
  if (bytes.length > 1) {
    bytes[bytes.length - 1] = 0x100 - POOL;
  }
};

/** A wait, as the error of a generator that must not wait. */
interface Wait {
  readonly code: string;
  readonly until: number;
}

/** One word of the answer: a refusal, or consecutive IDs of one tick. */
interface Heard {
  /** The refusal, or the wait of the first ID. */
  readonly before: string;
  /** The tick, after an @ for a given time; and the tick-tock bit. */
  readonly tick?: string;
  readonly mark?: string;
  readonly first?: number;
  last?: number;
}

const said = ({ before, tick, mark, first, last }: Heard): string =>
  tick === undefined ? before : `${before}${tick}.${first}${last === first ? "" : `-${last}`}${mark}`;

/** A call that yields promises of IDs, and goes on with the IDs. */
type Awaiting<T> = Generator<Promise<Id>, T, Id>;

export class Player {
  readonly #clock = new ScriptedClock();
  readonly #heard: Heard[] = [];
  readonly #origin: number;
  readonly #tick: number;
  #policy: string;
  /** Gets a call at each reading, and never waits. */
  #impatient: AnyGenerator;
  /** Gets only the calls that issue an ID, each once: it waits as a user's generator does. */
  #patient: AnyGenerator;

  constructor(
    readonly subject: Subject,
    readonly story: Story,
    policy: string,
    readonly call: Call,
  ) {
    const { epoch, endOfLife, layout } = subject.format;
    this.#tick = layout.tickMs;
    this.#origin = story.origin === "last" ? endOfLife : epoch;
    this.#policy = policy;
    // A snapshot reads the clock, also before the first call.
    this.#clock.stand(this.#late(0));
    this.#impatient = this.#make(0);
    this.#patient = this.#make(PATIENCE_MS);
  }

  async play(): Promise<string> {
    const words = this.#words();
    for (let step = words.next(); !step.done; step = words.next(await step.value));
    return this.#heard.map(said).join(" ");
  }

  /** Plays the script and yields only what has to be awaited: promises are slow where a test runner watches each of them. */
  *#words(): Awaiting<void> {
    for (const word of this.story.script.split(" ")) {
      const [call = "", times = "1"] = word.split("*");
      for (let i = 0; i < Number(times); i++) {
        yield* this.#word(call);
      }
    }
  }

  #make(maxWaitMs: number, from?: AnyGenerator): AnyGenerator {
    const { subject, story } = this;
    const [clockBackwards, sequenceFull] = this.#policy.split("/");
    return subject.format.generator({
      ...subject.fixed,
      ...subject.room("scarce"),
      ...(isRandom(subject) ? { random: draw } : { isolated: true }),
      clock: this.#clock.read,
      clockBackwards,
      sequenceFull,
      maxWaitMs,
      maxAheadMs: (story.ahead ?? AHEAD) * this.#tick,
      ...(from !== undefined && { snapshot: from.snapshot() }),
    });
  }

  *#word(word: string): Awaiting<void> {
    if (word.startsWith("@")) {
      this.#at(Number(word.slice(1)));
    } else if (word === "restart" || word.includes("/")) {
      this.#policy = word === "restart" ? this.#policy : word;
      this.#impatient = this.#make(0, this.#impatient);
      this.#patient = this.#make(PATIENCE_MS, this.#patient);
    } else {
      yield* this.#next(Number(word.replace("?", "")), !word.endsWith("?"));
    }
  }

  /** A reading late in a tick: a fraction, and (for Mastodon) one that is not rounded up. */
  #late(tick: number): number {
    return this.#origin + (tick + 1) * this.#tick - 0.75;
  }

  #ask(reading: number): Id | Wait | string {
    this.#clock.stand(reading);
    try {
      return this.#impatient.next();
    } catch (error) {
      assert.ok(GraupelError.is(error), String(error));
      const { code, field, value } = error;
      return field === "maxWaitMs" ? { code, until: reading + (value as number) } : `:${code}`;
    }
  }

  *#next(tick: number, waits: boolean): Awaiting<void> {
    const readings = [this.#late(tick)];
    for (let text = ""; ; ) {
      const reading = readings.at(-1) as number;
      const answer = this.#ask(reading);
      if (typeof answer === "string" && answer.startsWith(":")) {
        this.#heard.push({ before: text + WORDS[answer.slice(1)] });
        return;
      }
      if (typeof answer !== "object") {
        assert.equal(yield* this.#inOneGo(readings), answer, "had the refused calls not been made");
        this.#issued(text, "", answer, reading);
        return;
      }
      const { code, until } = answer;
      text += `${WORDS[code]}~${(until - this.#origin) / this.#tick}`;
      if (!waits) {
        this.#heard.push({ before: text });
        return;
      }
      text += "=";
      assert.ok(until > reading, `waits for ${until}, which has passed`);
      if (until - this.#tick > reading) {
        readings.push(until - this.#tick);
        assert.deepEqual(this.#ask(until - this.#tick), answer, "a tick before it is time");
      }
      readings.push(until);
    }
  }

  *#inOneGo(readings: readonly number[]): Awaiting<Id> {
    this.#clock.script(readings);
    const id =
      this.call === "next"
        ? this.#patient.next()
        : this.call === "nextMany"
          ? (this.#patient.nextMany(1)[0] as Id)
          : yield hurried(() => this.#patient.nextAsync());
    assert.deepEqual(this.#clock.taken, readings, "the clock is read until it is time, and no longer");
    return id;
  }

  #at(tick: number): void {
    const time = this.#late(tick);
    try {
      const id = this.#impatient.at(time);
      assert.equal(this.#patient.at(time), id, "had the refused calls not been made");
      this.#issued("", "@", id, time);
    } catch (error) {
      assert.ok(GraupelError.is(error), String(error));
      this.#heard.push({ before: `@${WORDS[error.code]}` });
    }
  }

  #issued(before: string, given: "" | "@", id: Id, reading: number): void {
    const { format, counts, perTick, first } = this.subject;
    const { ticks, tickTock, [counts]: value } = format.inspect(id);
    const tick = `${given}${ticks - (this.#origin - format.epoch) / this.#tick}`;
    const mark = tickTock === 1 ? "'" : "";
    let index = (value as number) - first;
    if (isRandom(this.subject)) {
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

  /** Uses up the values of a tick that the story does not have, after its first ID. */
  #useUp(count: number, given: string, reading: number): void {
    if (count === 0) {
      return;
    }
    this.#clock.stand(reading);
    for (const generator of [this.#impatient, this.#patient]) {
      if (given !== "") {
        for (let i = 0; i < count; i++) {
          generator.at(reading);
        }
      } else {
        generator.nextMany(count);
      }
    }
  }
}
