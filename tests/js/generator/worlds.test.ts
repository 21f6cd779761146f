/**
 * Plays each edge of the small worlds once with the package. `model/worlds` has searched every
 * history of calls in them. While the package returns and remembers the same, the result of that
 * search also applies to the package.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { type AnyGenerator, GraupelError, sno, snowflake, snowflakeSI } from "graupel";
import { emptyRegistry, registry } from "../support/other-process.ts";
import { root } from "../support/places.ts";

/** A format whose generators match a world, and the name of its counter. */
interface Played {
  readonly format: { inspect(id: never): object; readonly epoch: number };
  readonly tickMs: number;
  make(options: object, restart: number): AnyGenerator;
}

/**
 * Where a tick starts, from the tour's number: a threshold, or the index of a word times this unit.
 */
const UNIT = 2 ** 54;
const WORDS = ["lowest", "continue", "random"] as const;
const startOf = (restart: number) => (restart < UNIT ? {} : { sequenceStart: WORDS[restart / UNIT] });

const declared = snowflake({ epoch: 0, fields: { time: 2, worker: 3, sequence: 1 } });
const si = snowflakeSI({ epoch: 0, clockBits: 41, machineBits: 10, sequenceBits: 2 });

const PLAYED: Record<string, Played> = {
  declared: {
    format: declared,
    tickMs: 1,
    make: (options, restart) => declared.generator({ worker: 5, ...options, ...startOf(restart) }),
  },
  snowflakeSI: {
    format: si,
    tickMs: 1,
    make: (options, restart) =>
      si.generator({
        machineId: 1,
        ...options,
        ...(restart < UNIT ? { sequenceResetThreshold: restart } : startOf(restart)),
      }),
  },
  sno: {
    format: sno,
    tickMs: 4,
    make: (options, restart) =>
      sno.generator({ partition: 7, sequenceMin: 4, sequenceMax: 7, ...options, ...startOf(restart) }),
  },
};

/** A world in which a walk continues from node to node. */
class Walk {
  readonly #played: Played;
  readonly #nodes: number[][] = [];
  readonly #makers = new Map<string, AnyGenerator>();
  #now = 0;
  #edges = 0;

  constructor(name: string) {
    emptyRegistry();
    this.#played = PLAYED[name] as Played;
  }

  get edges(): number {
    return this.#edges;
  }

  /** Plays a line of the tour. */
  play(line: string): void {
    const [call = "", answer, to] = line.split(/ [=>] /);
    const [verb, ...words] = call.split(" ");
    if (verb === "node") this.#nodes.push(words.map(Number));
    else if (verb === "from") this.#jump(Number(words[0]));
    else {
      this.#edges += 1;
      assert.equal(this.#call(verb as string, words), answer?.split(" ")[0], line);
      assert.deepEqual(this.#state.slice(0, 11), this.#nodes[Number(to)], line);
    }
  }

  /** A generator of the world under a policy. All generators share one state. */
  #maker(clockBackwards = "throw", sequenceFull = "throw", ahead = "0", restart = "0"): AnyGenerator {
    const key = [clockBackwards, sequenceFull, ahead, restart].join(" ");
    const known = this.#makers.get(key);
    if (known !== undefined) return known;
    const maxAheadMs = Number(ahead) * this.#played.tickMs;
    const made = this.#make({ clockBackwards, sequenceFull, maxAheadMs, maxWaitMs: 0 }, Number(restart));
    made.stats();
    this.#makers.set(key, made);
    return made;
  }

  #make(options: object, restart = 0): AnyGenerator {
    return this.#played.make({ clock: () => this.#time(this.#now), ...options }, restart);
  }

  #time = (tick: number) => this.#played.format.epoch + tick * this.#played.tickMs;

  /** The only state in the registry, in saved form. */
  get #saved() {
    this.#maker();
    const [states] = [...(registry()?.states.values() ?? [])];
    return states?.[0] as NonNullable<typeof states>[0];
  }

  get #state(): number[] {
    return [...this.#saved.save()];
  }

  #jump(node: number): void {
    const numbers = this.#saved.save();
    numbers.set(this.#nodes[node] as number[]);
    this.#saved.restore(numbers);
  }

  #call(verb: string, words: string[]): string {
    try {
      if (verb === "notBefore") {
        this.#make({ notBefore: this.#time(Number(words[0])) }).stats();
        return "done";
      }
      if (verb === "restore") {
        this.#make({ snapshot: this.#maker().snapshot() }).stats();
        return "done";
      }
      if (verb === "at") return this.#read(this.#maker().at(this.#time(Number(words[0]))));
      const [now, ...policy] = words;
      this.#now = Number(now);
      return this.#read(this.#maker(...policy).next());
    } catch (error) {
      if (GraupelError.is(error)) return error.code;
      throw error;
    }
  }

  #read(id: unknown): string {
    const fields = this.#played.format.inspect(id as never) as Record<string, number>;
    return `${fields.ticks}.${fields.sequence}${fields.tickTock === 1 ? "'" : ""}`;
  }
}

test("each edge of the small worlds", (t) => {
  const args = ["run", "--quiet", "--offline", "--package", "graupel-worlds", "--", "tour"];
  const tour = execFileSync("cargo", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 });
  for (const part of tour.split(/^world /m).slice(1)) {
    const [name = "", ...lines] = part.trim().split("\n");
    const walk = new Walk(name);
    for (const line of lines) walk.play(line);
    t.diagnostic(`${name}: ${walk.edges} edges`);
    assert.ok(walk.edges > 500);
  }
});
