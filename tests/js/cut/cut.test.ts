/**
 * Calls that are cut off at every step of the module, and at every point where the program enters
 * or leaves it, in both manners. Afterwards every operation works, no ID repeats, and every ID is
 * correct. (The JavaScript core is translated from the module; see real.test.ts.)
 *
 * `GRAUPEL_CUTS=2000` cuts each operation off at this many steps: evenly spaced, from a random one
 * on.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as shipped from "graupel";
import { Random, seedOfRun } from "../support/random.ts";
import { type Knife, type Manner, NEVER, type Package, type Place, realm } from "./realm.ts";
import { clock, Ledger, maker, operations, type SubjectName, subjectsOf } from "./subjects.ts";

/** The subjects of the installed package, whose calls are never cut off. */
const installed = subjectsOf(shipped);

const CUTS = Number(process.env.GRAUPEL_CUTS ?? 4);
const seed = seedOfRun();
const random = new Random(seed);

/** The steps at which a call is cut off. */
function* cuts(steps: number): Generator<number> {
  const stride = Math.max(1, Math.floor(steps / CUTS));
  for (let n = 1 + random.below(stride); n <= steps; n += stride) yield n;
}

/** Does the work and cuts it off at the `n`-th step. If it was cut off, any error is acceptable. */
function cutOff(knife: Knife, place: Place, n: number, manner: Manner, work: () => void) {
  let ended: unknown;
  knife.set(place, n, manner);
  try {
    work();
  } catch (error) {
    ended = error;
  }
  const taken = knife.take();
  if (!taken.cut && ended !== undefined) throw ended;
  return taken;
}

const MANNERS: readonly Manner[] = ["overflow", "time limit"];

for (const place of ["module", "program"] as const) {
  describe(`cut off in the ${place}`, () => {
    const { load, knife } = realm();

    test(`at any step of any operation (seed ${seed})`, (t) => {
      let count = 0;
      for (const name of Object.keys(installed) as SubjectName[]) {
        const ledger = new Ledger(subjectsOf(load())[name]);
        ledger.goOn();
        for (const operation of Object.keys(operations)) {
          const work = () => ledger.work(operation);
          const { steps } = cutOff(knife, place, NEVER, "overflow", work);
          for (const manner of MANNERS) {
            for (const n of cuts(steps)) {
              const where = `${name}, ${operation}, ${manner} at step ${n} of ${steps}, seed ${seed}`;
              clock.now += random.pick([0, 0, 1, 5, -3]);
              try {
                count += cutOff(knife, place, n, manner, work).cut ? 1 : 0;
                ledger.goOn();
              } catch (error) {
                throw Object.assign(error as Error, { message: `${where}: ${(error as Error).message}` });
              }
            }
          }
        }
      }
      t.diagnostic(`${count} calls cut off`);
      assert.ok(count > 100 * CUTS);
    });

    test(`at any step of the first call (seed ${seed})`, (t) => {
      let count = 0;
      for (const name of ["sno", "twitter", "ulidFlake"] as const) {
        const first = (loaded: Package) => {
          const subject = subjectsOf(loaded)[name];
          const snapshot = maker(installed[name], 0, { isolated: true }).snapshot();
          const cold = maker(subject, 0, { snapshot, notBefore: clock.now + 500 });
          return [cold, new Ledger(subject)] as const;
        };
        const [warm] = first(load());
        const { steps } = cutOff(knife, place, NEVER, "overflow", () => warm.next());
        for (const manner of MANNERS) {
          for (const n of cuts(steps)) {
            const [cold, ledger] = first(load());
            count += cutOff(knife, place, n, manner, () => ledger.deliver(0, [cold.next()])).cut ? 1 : 0;
            const id = cold.next();
            ledger.deliver(0, [id]);
            const { timestamp } = installed[name].row.format.inspect(id);
            assert.ok(timestamp >= clock.now + 500, `${name}, ${manner} at step ${n}: forgets notBefore`);
            ledger.goOn();
          }
        }
      }
      t.diagnostic(`${count} calls cut off`);
      assert.ok(count > 5 * CUTS);
    });
  });
}
