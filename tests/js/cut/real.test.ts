/**
 * Calls that the engine itself cuts off, in both cores: recursions that overflow the stack and are
 * caught at each level, and time limits of `node:vm`. No ID repeats, and every generator continues.
 * `GRAUPEL_CUTS` works as in cut.test.ts, which cuts at more points, but only in a modified module.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runInThisContext } from "node:vm";
import * as first from "graupel";
import { GraupelError } from "graupel";
import * as second from "graupel/pure";
import type { Id } from "../support/any-format.ts";
import { emptyRegistry } from "../support/other-process.ts";
import { Random, seedOfRun } from "../support/random.ts";
import type { Package } from "./realm.ts";
import { clock, Ledger, operations, type Subject, subjectsOf } from "./subjects.ts";

const CUTS = Number(process.env.GRAUPEL_CUTS ?? 3);
const seed = seedOfRun();
const random = new Random(seed);
/**
 * Leaves out verbs and texts, because V8 exits if it must compile a regular expression at the end
 * of the stack; and large batches, which take long to check.
 */
const NAMES = Object.keys(operations).filter((name) => !/verbs|nextText|many|batch/.test(name));

/** Whether an error comes from a cut. */
const isCut = (error: unknown): boolean =>
  error instanceof RangeError || (GraupelError.is(error) && error.code === "RANDOM_FAILED");

for (const [core, copy] of [
  ["WebAssembly", first],
  ["JavaScript", second as unknown as Package],
] as const) {
  describe(core, () => {
    emptyRegistry();
    const subjects = subjectsOf(copy);
    // If all numbers are one identity, `notBefore` uses up the times that `at` is given.
    const some = Object.values<Subject>(subjects).filter(({ isOne }) => !isOne);
    const ledgers = some.map((subject) => new Ledger(subject));
    /** The IDs that calls have issued. They are checked when nothing is being cut off. */
    let found: [ledger: Ledger, number: number, ids: Iterable<Id>][] = [];
    const work = (ledger: Ledger, name: string) =>
      operations[name]?.(ledger.pair, (number, ids) => void found.push([ledger, number, ids]));
    const goOn = (used: Ledger) => {
      for (const [ledger, number, ids] of found) ledger.deliver(number, ids);
      found = [];
      clock.now += random.pick([0, 0, 1, 5, -3]);
      for (const ledger of [used, random.pick(ledgers)]) ledger.goOn();
    };

    test(`a recursion too deep, caught at each level (seed ${seed})`, (t) => {
      let overflows = 0;
      for (let round = 0; round < CUTS; round++) {
        for (const name of NAMES) {
          const ledger = random.pick(ledgers);
          const one = () => {
            try {
              work(ledger, name);
            } catch (error) {
              if (!isCut(error)) throw error;
              overflows++;
            }
          };
          // Compiling a function takes more stack than calling it, so each one is called first.
          one();
          isCut(undefined);
          // Only the last frames have too little stack. While the stack unwinds, the work is done
          // at each depth.
          let left = 300;
          const walk = (): void => {
            try {
              walk();
            } catch {}
            if (left-- <= 0) return;
            try {
              one();
            } catch (error) {
              // The stack may overflow while an error is being created.
              if (!(error instanceof RangeError)) throw error;
            }
          };
          // Shifts the stack, so that each round ends at another point within a frame.
          const shift = (frames: number): void => (frames === 0 ? walk() : shift(frames - 1));
          shift(random.below(40));
          goOn(ledger);
        }
      }
      t.diagnostic(`${overflows} calls cut off`);
      assert.ok(overflows > 50 * CUTS);
    });

    test(`time limits (seed ${seed})`, (t) => {
      const forever = (ledger: Ledger, names: readonly string[]) => {
        for (;;) for (const name of names) work(ledger, name);
      };
      for (let round = 0; round < CUTS * 10; round++) {
        const [ledger, names] = [random.pick(ledgers), [random.pick(NAMES), random.pick(NAMES)]];
        Object.assign(globalThis, { forever: () => forever(ledger, names) });
        assert.throws(() => runInThisContext("forever()", { timeout: 1 }), {
          code: "ERR_SCRIPT_EXECUTION_TIMEOUT",
        });
        goOn(ledger);
      }
      Reflect.deleteProperty(globalThis, "forever");
      t.diagnostic(`${CUTS * 10} calls cut off`);
    });
  });
}
