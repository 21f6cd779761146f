/**
 * A full stack must be reported as such: not as a wrong argument, an invalid ID, or a platform
 * without randomness or timers.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { snowflakeSI } from "graupel";
import { testsJs } from "../support/places.ts";
import { numberOfItsOwn } from "../support/unused-number.ts";
import { node } from "../support/user-project.ts";

/**
 * Runs in a separate process, where the source of randomness can be JavaScript, so that it
 * overflows the stack where nothing else would.
 */
const PROGRAM = `
  import { discord, ulidFlake } from "graupel";
  let byte = 0;
  const fill = (bytes, frames) => (frames > 0 ? fill(bytes, frames - 1) : bytes.fill((byte++ % 200) + 1));
  Object.defineProperty(globalThis, "crypto", { value: { getRandomValues: (bytes) => fill(bytes, 3000) } });
  const worker = { internalWorkerId: 1, internalProcessId: 1 };
  const ahead = { sequenceFull: "borrow", maxAheadMs: 1e9 };
  const id = discord.compose({ timestamp: 1.75e12, ...worker, increment: 0 });
  const queued = discord.generator({ ...worker, ...ahead });
  const { signal } = new AbortController();
  const ends = [];
  const subjects = {
    random: () => ulidFlake.generator({ isolated: true, ...ahead }).nextMany(70),
    signal: () => ends.push(queued.nextAsync({ signal })),
    date: () => discord.compose({ time: new Date(1.75e12), ...worker, increment: 0 }),
    schema: () => discord["~standard"].validate(id).issues && ends.push(Promise.reject(Error("invalid"))),
    options: () => discord.generator({ ...worker, isolated: true }).stats(),
  };
  let cut = 0;
  const wrong = [];
  const told = (name, error) => {
    if (error instanceof RangeError) cut++;
    else wrong.push(name + ": " + (error.stack ?? error));
  };
  for (const [name, call] of Object.entries(subjects)) {
    for (let i = 0; i < 50; i++) call();
    for (let start = 0; start < 3; start++) {
      const sink = (some) => {
        try {
          sink(some + 1);
        } catch {}
        // The first levels have the least of the stack left.
        if (rest-- > 0) {
          try {
            call();
          } catch (error) {
            told(name, error);
          }
        }
      };
      let rest = 3000;
      sink(start);
    }
  }
  for (const { reason } of await Promise.allSettled(ends)) if (reason) told("later", reason);
  console.log(JSON.stringify({ cut, wrong: [...new Set(wrong)].slice(0, 3) }));
`;

test("whatever a full stack cuts off ends in the platform's own error", { timeout: 120_000 }, async () => {
  const { cut, wrong } = JSON.parse(await node(testsJs, "--input-type=module", "--eval", PROGRAM));
  assert.deepEqual(wrong, []);
  assert.ok(cut > 100, `${cut}`);
});

test("a call that has to wait in a realm without timers is rejected, and nobody waits for it", async () => {
  let now = Date.UTC(2026, 0, 1);
  const generator = snowflakeSI({ epoch: Date.UTC(2020, 0, 1) }).generator({
    machineId: numberOfItsOwn() % 32,
    clock: () => now,
  });
  generator.nextMany(256);
  const { setTimeout } = globalThis;
  Reflect.deleteProperty(globalThis, "setTimeout");
  try {
    await assert.rejects(generator.nextAsync(), /setTimeout/);
  } finally {
    globalThis.setTimeout = setTimeout;
  }
  now++;
  const before = generator.stats().issued;
  await generator.nextAsync();
  assert.equal(generator.stats().issued, before + 1, "the rejected call took an ID");
});
