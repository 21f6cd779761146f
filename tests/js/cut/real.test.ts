/**
 * Calls that the engine itself cuts off, with the system's clock and source: recursions that overflow the stack and are caught at
 * each level, and time limits of `node:vm`. Nothing repeats, and every generator goes on. `GRAUPEL_CUTS` as in cut.test.ts.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runInThisContext } from "node:vm";
import type { AnyId, GraupelError } from "graupel";
import * as first from "graupel";
import * as second from "graupel/pure";
import { IssuedIds } from "../../support/issued.mjs";
import { Random } from "../support/random.ts";
import { seedOfRun } from "../support/seed.ts";
import type { Package } from "./realm.ts";

const CUTS = Number(process.env.GRAUPEL_CUTS ?? 6);
const seed = seedOfRun();
const random = new Random(seed);

/** Work of all kinds. Each returns the IDs of one identity, with its name. */
function workOf({ sno, twitter, discord, snowflakeSI, ulidFlake, nanoflake }: Package, offset: number) {
  const si = snowflakeSI({ epoch: Date.UTC(2020, 0, 1) });
  const nano = nanoflake({ epoch: Date.UTC(2020, 0, 1) });
  const ahead = { sequenceFull: "borrow", clockBackwards: "hold", maxAheadMs: 1e9 } as const;
  const a = twitter.generator({ datacenterId: offset, workerId: 1, ...ahead });
  const b = twitter.generator({ datacenterId: offset, workerId: 2, ...ahead });
  const text = sno.generator({ partition: 70 + offset, ...ahead });
  const numbers = si.generator({ machineId: offset, ...ahead });
  const flakes = ulidFlake.generator({ ...ahead });
  const past = nano.generator({ generatorId: offset, ...ahead });
  let given = Date.UTC(2021, 0, 1) + offset;
  let other = 0;
  return {
    a: () => [a.next()],
    b: () => [b.next()],
    "a ": () => a.nextMany(3),
    sno: () => [text.next(offset)],
    "sno ": () => text.nextMany(9),
    si: () => [numbers.next()],
    "si ": () => numbers.nextMany(9),
    flakes: () => [flakes.next()],
    "flakes ": () => flakes.nextMany(9),
    past: () => {
      given += 20;
      return [past.at(given)];
    },
    "a  ": () => [
      twitter.generator({ datacenterId: offset, workerId: 1, snapshot: a.snapshot(), ...ahead }).next(),
    ],
    // A new state each time: it takes the slot of another one.
    new: () => {
      const [internalWorkerId, internalProcessId] = [offset, other++ % 32];
      const id = discord.generator({ internalWorkerId, internalProcessId, isolated: true }).next();
      return discord.inspect(id).timestamp > 0 ? [other] : [];
    },
  } satisfies Record<string, () => Iterable<AnyId>>;
}

/** The IDs that came out, and a check of each generator. */
class Checked {
  readonly issued = new IssuedIds();

  constructor(readonly work: Record<string, () => Iterable<AnyId>>) {}

  take(name: string, ids: Iterable<AnyId>): void {
    this.issued.add(ids, name.trim());
  }

  goOn(): void {
    for (const [name, work] of Object.entries(this.work)) this.take(name, work());
    const { discord, sno } = first;
    assert.equal(discord.inspect(175928847299117063n).timestamp, 1462015105796);
    assert.equal(sno.inspect("brpk4q72xwf2m63l").metabyte, 255);
  }
}

for (const [core, copy, offset] of [
  ["WebAssembly", first, 0],
  ["JavaScript", second as unknown as Package, 1],
] as const) {
  describe(core, () => {
    const work: Record<string, () => Iterable<AnyId>> = workOf(copy, offset);
    const names = Object.keys(work);
    const checked = new Checked(work);

    test(`a recursion too deep, caught at each level (seed ${seed})`, (t) => {
      let overflows = 0;
      for (let round = 0; round < CUTS; round++) {
        const found: [string, Iterable<AnyId>][] = [];
        const one = (name: string) => {
          try {
            found.push([name, (work[name] as () => Iterable<AnyId>)()]);
          } catch (error) {
            overflows++;
            // No regular expression: V8 ends the process if it has to compile one here.
            const { code, message } = error as GraupelError;
            if (code !== "RANDOM_FAILED" && !message.includes("call stack")) throw error;
          }
        };
        // Down with one kind of work, and on the way back up another one at each depth of the stack.
        const [down, up, also] = [random.pick(names), random.pick(names), random.pick(names)];
        const shift = (left: number, then: () => void): void => (left === 0 ? then() : shift(left - 1, then));
        let depth = 0;
        // Only the last frames have too little of the stack.
        let left = 500;
        const walk = (): void => {
          depth++;
          try {
            if (depth % 500 === 0) one(down);
            walk();
          } catch {}
          if (left-- > 0) {
            try {
              one(up);
              one(also);
            } catch (error) {
              // The overflow may come while an error is being made.
              if (!(error instanceof RangeError)) throw error;
            }
          }
        };
        // Frames have a size: each round begins elsewhere in one.
        shift(random.below(40), walk);
        for (const [name, ids] of found) checked.take(name, ids);
        checked.goOn();
        if (round % 25 === 24) checked.issued.forget();
      }
      t.diagnostic(`${overflows} calls cut off, ${checked.issued.count} IDs`);
      assert.ok(overflows > CUTS);
    });

    test(`time limits (seed ${seed})`, (t) => {
      let limits = 0;
      for (let round = 0; round < CUTS * 25; round++) {
        const found: [string, Iterable<AnyId>][] = [];
        const chosen = [random.pick(names), random.pick(names)];
        const forever = () => {
          for (;;) {
            for (const name of chosen) found.push([name, (work[name] as () => Iterable<AnyId>)()]);
          }
        };
        try {
          Object.assign(globalThis, { forever });
          runInThisContext("forever()", { timeout: 1 });
        } catch (error) {
          assert.equal((error as { code?: string }).code, "ERR_SCRIPT_EXECUTION_TIMEOUT", String(error));
          limits++;
        }
        for (const [name, ids] of found) checked.take(name, ids);
        checked.goOn();
        if (round % 25 === 24) checked.issued.forget();
      }
      Reflect.deleteProperty(globalThis, "forever");
      t.diagnostic(`${limits} calls cut off, ${checked.issued.count} IDs`);
      assert.equal(limits, CUTS * 25);
    });
  });
}
