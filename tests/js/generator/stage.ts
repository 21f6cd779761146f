// A generator on a scripted clock in the middle of its format's life, and calls of it.
import { GraupelError } from "graupel";
import type { AnyGenerator, Id } from "../support/any-format.ts";
import type { FormatUnderTest, Room } from "../support/formats.ts";
import type { OtherProcess } from "../support/other-process.ts";
import { hurried, rushed, ScriptedClock } from "../support/scripted-clock.ts";

/** A format under test with its own clock and state. */
export class Stage {
  readonly clock = new ScriptedClock();
  readonly generator: AnyGenerator;
  readonly tick: number;
  /** The reading to which the other readings of a test are relative. */
  readonly high: number;

  /**
   * `process` is the process in which generators share state. A test with one generator does not
   * need it.
   */
  constructor(
    readonly subject: FormatUnderTest,
    readonly room: Room,
    readonly options: Readonly<Record<string, unknown>> = {},
    readonly process?: OtherProcess,
  ) {
    const { epoch, layout } = subject.format;
    this.tick = layout.tickMs;
    this.high = epoch + MIDDLE * layout.tickMs;
    this.generator = process === undefined ? this.#make({ isolated: true }) : this.another({});
  }

  #make(options: Readonly<Record<string, unknown>>): AnyGenerator {
    const { format, fixed } = this.subject;
    const own = this.subject.room(this.room);
    return format.generator({ ...fixed, ...own, clock: this.clock.read, ...this.options, ...options });
  }

  /** Another generator of the same identity, with other options. */
  another(options: Readonly<Record<string, unknown>>): AnyGenerator {
    if (this.process === undefined) {
      throw new Error("this stage's state is shared with nobody; give it a process");
    }
    return this.process.run(() => {
      const generator = this.#make(options);
      // Claims the state in this process. A generator with a snapshot has claimed it at creation.
      if (this.options.snapshot === undefined && options.snapshot === undefined) {
        generator.stats();
      }
      return generator;
    });
  }

  /** The reading this many ticks after `high`. */
  at(ticks: number): number {
    return this.high + ticks * this.tick;
  }

  /** The tick of an ID, relative to the tick of `high`. */
  tickOf(id: unknown): number {
    const { format } = this.subject;
    return format.inspect(id).ticks - Math.round((this.high - format.epoch) / this.tick);
  }

  /** Moves the clock to a tick. From there, it advances by `step` ticks with each reading. */
  run(ticks: number, step = 1): void {
    this.clock.script([this.at(ticks)], (last) => last + step * this.tick);
  }

  /** Issues IDs while the clock stands still, this many ticks after `high`. */
  issue(ticks: number, count = 1, generator = this.generator): readonly Id[] {
    this.clock.stand(this.at(ticks));
    return Array.from({ length: count }, () => generator.next());
  }

  /** Uses up the tick of `high`. */
  fill(): void {
    this.clock.stand(this.high);
    this.generator.nextMany(this.subject.perTick);
  }
}

/** The tick of `high`. */
export const MIDDLE = 1_000_000;

/** The three calls that issue IDs. */
export const CALLS = ["next", "nextMany", "nextAsync"] as const;
export type Call = (typeof CALLS)[number];

/** Makes a call. Returns its IDs or its GraupelError and rethrows any other error. */
export async function ask(
  { generator, subject, room }: Stage,
  call: Call,
): Promise<readonly Id[] | GraupelError> {
  const count = room === "scarce" ? Math.min(2, subject.perTick) : 2;
  try {
    return call === "next"
      ? [rushed(() => generator.next())]
      : call === "nextMany"
        ? rushed(() => generator.nextMany(count))
        : [await hurried(() => generator.nextAsync())];
  } catch (error) {
    if (GraupelError.is(error)) {
      return error;
    }
    throw error;
  }
}
