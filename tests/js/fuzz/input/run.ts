/** The run: the choice of cases, a watchdog, and the report. */
import { Worker } from "node:worker_threads";
import { Random } from "../../support/random.ts";
import { custom, named, type Subject, snowflakeSIs, tiny } from "../../support/subjects.ts";
import * as declarations from "./declarations.ts";
import { Junk } from "./junk.ts";
import { originOf } from "./marked.ts";
import { Pair } from "./no-trace.ts";
import { generators, ready } from "./options.ts";
import { Outcomes, picture } from "./outcomes.ts";
import { platform } from "./platform.ts";
import { snapshots } from "./snapshots.ts";
import * as others from "./some-formats.ts";
import * as verbs from "./verbs.ts";
import * as waits from "./waits.ts";

/** Cases between two turns of the event loop, in which the engine frees collected memory. */
const CASES_A_TURN = 2000;
/** One case in so many runs with a polluted prototype, which makes the engine forget what it has compiled: a millisecond each. */
const POLLUTED = 25;
/** Rounds of a pair of generators, and pairs at a time. */
const ROUNDS = 60;
const PAIRS = 8;
/** A case that takes longer counts as hung. */
const HANGS_MS = 60_000;

/** Ends the process if the counter stands still, because a hung case cannot report itself. */
const WATCH = `
const { workerData: { shared, seed, ms } } = require("node:worker_threads");
const counter = new Int32Array(shared);
let last = -1;
setInterval(() => {
  const now = Atomics.load(counter, 0);
  if (now === last) {
    require("node:fs").writeSync(2, "case " + now + " hangs, seed " + seed + "\\n");
    process.kill(process.pid, "SIGKILL");
  }
  last = now;
}, ms);
`;

export class InputFuzz {
  readonly outcomes = new Outcomes();
  readonly #random: Random;
  readonly #context: verbs.Context;
  readonly #named: Subject[] = named();
  readonly #si: Subject[] = snowflakeSIs();
  readonly #tiny: Subject[] = tiny();
  readonly #custom: Subject[];
  readonly #pairs: Pair[] = [];
  #callbacks = 0;

  constructor(readonly seed: number) {
    this.#random = new Random(seed);
    this.#context = { outcomes: this.outcomes, junk: new Junk(this.#random) };
    this.#custom = Array.from({ length: 20 }, () => custom(this.#random));
  }

  /** Runs at least `count` cases. `progress` is called now and then. */
  async run(count: number, progress: () => void): Promise<void> {
    const shared = new SharedArrayBuffer(4);
    const counter = new Int32Array(shared);
    const watch = new Worker(WATCH, { eval: true, workerData: { shared, seed: this.seed, ms: HANGS_MS } });
    watch.unref();
    let turn = 0;
    while (this.outcomes.cases < count) {
      const since = performance.now();
      const pending = this.#one();
      if (pending !== undefined) {
        await pending;
      }
      const ms = performance.now() - since;
      if (ms > this.outcomes.slowest.ms && pending === undefined) {
        this.outcomes.slowest = { ms, call: this.outcomes.call };
      }
      counter[0] = this.outcomes.cases;
      if (this.outcomes.cases >= turn) {
        turn = this.outcomes.cases + CASES_A_TURN;
        await new Promise((resolve) => setImmediate(resolve));
        progress();
      }
    }
    // Pending timers, including exceptions of listeners.
    await new Promise((resolve) => setTimeout(resolve, 50));
    await watch.terminate();
  }

  /** An uncaught exception: a listener's own, thrown while calls waited, or a defect. */
  uncaught(error: unknown): void {
    this.#callbacks++;
    if (originOf(error) !== "callback") {
      this.outcomes.defect(`uncaught: ${error instanceof Error ? error.stack : picture(error)}`);
    }
  }

  #subject(): Subject {
    const { pick, below } = { pick: <T>(list: T[]) => this.#random.pick(list), below: this.#random.below(6) };
    return below < 4 ? pick(this.#named) : below === 4 ? pick(this.#si) : pick(this.#custom);
  }

  /** For cases about state: often sno, which has the most state, and layouts in which a tick holds two or four IDs. */
  #stateful(): Subject {
    switch (this.#random.below(6)) {
      case 0:
        return this.#named[0] as Subject;
      case 1:
      case 2:
        return this.#random.pick(this.#tiny);
      default:
        return this.#subject();
    }
  }

  #one(): Promise<void> | undefined {
    const [random, context] = [this.#random, this.#context];
    const subject = this.#subject();
    this.outcomes.polluted = false;
    if (random.oneIn(1500)) {
      return waits.together(context, this.#stateful());
    }
    if (random.oneIn(60)) {
      return platform(context, this.#stateful());
    }
    if (random.oneIn(60)) {
      return waits.once(context, this.#stateful());
    }
    this.outcomes.polluted = random.oneIn(POLLUTED);
    switch (random.below(24)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
        verbs.oneID(context, subject);
        break;
      case 5:
        verbs.compare(context, subject);
        break;
      case 6:
        verbs.radices(context, this.#random.pick(this.#named));
        break;
      case 7:
        verbs.fromBytes(context, subject);
        break;
      case 8:
        verbs.fromBigInt(context, subject);
        break;
      case 9:
        verbs.compose(context, subject);
        break;
      case 10:
        verbs.change(context, subject);
        break;
      case 11:
        verbs.range(context, subject);
        break;
      case 12:
        others.identified(context, this.#named, this.#si[4] as Subject);
        break;
      case 13:
        others.snoOnly(context, this.#named[0] as Subject);
        break;
      case 14:
        random.pick([others.isOurs, others.withEpoch, declarations.nanoflakes, declarations.snowflakeSIs])(
          context,
        );
        break;
      case 15:
        declarations.snowflakes(context);
        break;
      case 16:
        generators(context, subject);
        break;
      case 17:
        (random.oneIn(4)
          ? (b: verbs.Context) => ready(b, subject)
          : (b: verbs.Context) => snapshots(b, this.#stateful()))(context);
        break;
      default:
        this.#pair();
    }
    return undefined;
  }

  #pair(): void {
    const i = this.#random.below(PAIRS);
    const pair = this.#pairs[i];
    if (pair === undefined || pair.rounds >= ROUNDS) {
      this.#pairs[i] = new Pair(this.#context, this.#stateful());
    } else {
      pair.round();
    }
  }

  /** The report: cases by call, codes, traps, the seed, and every kind of defect with its first case. */
  report(seconds: number): string {
    const { calls, codes, defects, cases, traps, slowest } = this.outcomes;
    const n = (value: number) => value.toLocaleString("en").padStart(12);
    const rows = [...calls].sort(([a], [b]) => (a < b ? -1 : 1));
    const labels = this.#named.length + this.#si.length + this.#custom.length + this.#tiny.length;
    return [
      `${"call".padEnd(22)}       cases      values    refusals  caller's own`,
      ...rows.map(
        ([call, row]) => `${call.padEnd(20)}${n(row.cases)}${n(row.values)}${n(row.refusals)}${n(row.own)}`,
      ),
      "",
      "codes:",
      ...[...codes].sort().map(([code, count]) => `  ${code.padEnd(20)}${n(count)}`),
      "",
      `${cases.toLocaleString("en")} cases on ${labels} formats in ${seconds.toFixed(0)} s; slowest ${slowest.ms.toFixed(0)} ms (${slowest.call})`,
      `exceptions of listeners that reached nobody else: ${this.#callbacks}`,
      `traps: ${traps}`,
      `defects: ${defects.size}`,
      ...[...defects].map(([key, { count, first }]) => `  ${count} times ${key}\n      ${first}`),
      `seed: ${this.seed}`,
    ].join("\n");
  }
}
