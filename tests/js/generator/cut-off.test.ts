/**
 * Queued calls that are cut off at every depth of the stack or by a time limit of `node:vm`. Every
 * remaining call settles, no ID repeats, and the process exits by itself, so no timer is left. A
 * full stack is reported as such: not as a wrong argument, an invalid ID, or a platform without
 * randomness or timers.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { told } from "../support/user-project.ts";

/**
 * Uses a separate process, because platforms report a listener that cannot even be called as an
 * uncaught error.
 */
async function report(program: string): Promise<Record<string, number>> {
  const prelude = `
    import { createContext, runInContext } from "node:vm";
    import { snowflakeSI } from "graupel/snowflake-si";
    const PER_TICK = 256;
    let now = ${1.75e12};
    const options = { machineId: 1, clock: () => now, maxWaitMs: 1e9 };
    const generator = snowflakeSI({ epoch: 1.6e12 }).generator(options);
    const issued = new Set();
    /** Moves the clock to the next tick and uses that up: all further calls wait. */
    function fill() {
      now++;
      for (const id of generator.nextMany(PER_TICK)) issued.add(id);
    }
    fill();
    let uncaught = 0;
    process.on("uncaughtException", (error) => {
      if (full(error)) uncaught++;
      else {
        console.error(error);
        process.exit(1);
      }
    });
    const full = (error) => error instanceof RangeError;
    /**
     * Calls a function with 0, 1, 2, ..., each time with a little more of the stack. It has been
     * called before, because compiling a function takes more of the stack than calling it.
     */
    function dive(call, times) {
      let next = 0;
      function sink() {
        try {
          sink();
        } catch {}
        if (next < times) {
          const i = next++;
          try {
            call(i);
          } catch (error) {
            if (full(error)) cut++;
            else wrong.push(String(error.stack ?? error));
          }
        }
      }
      sink();
    }
    let cut = 0;
    const wrong = [];
    full(undefined);
    const ends = [];
    const total = { calls: 0, ids: 0, rejected: 0, stacks: 0 };
    /** A call whose outcome is recorded. */
    const ask = (signal) => {
      const call = generator.nextAsync(signal && { signal });
      ends.push(call);
      // Handle the rejection: otherwise the platform would report it at the end of the stack.
      call.catch(() => {});
    };
    /** Moves the clock until all calls are settled, and records each ID. */
    async function settle() {
      const moving = setInterval(() => now++, 1);
      const settled = await Promise.allSettled(ends.splice(0));
      clearInterval(moving);
      for (const { value, reason } of settled) {
        total.calls++;
        if (reason === undefined) {
          total.ids++;
          if (issued.has(value)) throw new Error("repeated " + value);
          issued.add(value);
        } else if (reason.name === "AbortError") total.rejected++;
        else if (full(reason)) total.stacks++;
        else throw reason;
      }
      if (wrong.length > 0) throw new Error(wrong[0]);
      return { ...total, cut, uncaught };
    }
  `;
  return (await told(prelude + program)) as Record<string, number>;
}

test("nextAsync, cut off at every depth of the stack: each call that returns settles", async () => {
  const { calls, ids, stacks, cut } = await report(`
    const one = (i) => ask(i % 2 ? new AbortController().signal : undefined);
    one(0);
    one(1);
    await settle();
    for (let round = 0; round < 20; round++) {
      fill();
      // If a call is already waiting, the others only join the queue. Otherwise, the first ones ask
      // the core.
      if (round % 2) ask();
      dive(one, 300);
      await settle();
    }
    console.log(JSON.stringify(await settle()));
  `);
  assert.ok((cut as number) + (stacks as number) > 20, `${cut} and ${stacks} were cut`);
  assert.ok((ids as number) > 1000, `${ids} of ${calls} got an ID`);
});

test("abort, cut off at every depth of the stack: each aborted call settles, and the others are served", async () => {
  const { calls, ids, rejected, uncaught, cut } = await report(`
    for (let round = 0; round < 20; round++) {
      fill();
      const controllers = [];
      for (let i = 0; i < 200; i++) {
        const controller = new AbortController();
        controllers.push(controller);
        for (let j = 0; j < 3; j++) ask(controller.signal);
        if (i % 3 === 0) ask();
      }
      // Abort in both orders. The first calls of one order are at the head of the queue.
      const one = (i) => controllers[i].abort();
      const other = (i) => controllers[199 - i].abort();
      one(199);
      other(199);
      dive(one, 90);
      dive(other, 90);
      const aborted = controllers.filter(({ signal }) => signal.aborted).length;
      const before = total.rejected;
      await settle();
      const rejected = total.rejected - before;
      if (rejected !== 3 * aborted) throw new Error(rejected + " rejected of 3 * " + aborted);
    }
    console.log(JSON.stringify(await settle()));
  `);
  assert.ok((cut as number) + (uncaught as number) > 50, `${cut} and ${uncaught} were cut`);
  assert.equal((ids as number) + (rejected as number), calls);
  assert.ok((rejected as number) > 1000);
});

test("calls and aborts that a time limit cuts off: the remaining calls settle", async () => {
  const { ids, rejected, calls, cuts } = await report(`
    const keep = [new AbortController().signal, undefined];
    ask();
    let controllers = [];
    const context = createContext({
      work(i) {
        ask(keep[i & 1]);
        const controller = new AbortController();
        ask(controller.signal);
        controllers.push(controller);
        if (controllers.length > 20) controllers.shift().abort();
      },
    });
    let cuts = 0;
    for (let round = 0; round < 300; round++) {
      try {
        runInContext("for (let i = 0; ; i++) work(i);", context, { timeout: 1 });
      } catch (error) {
        if (error.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
        cuts++;
      }
      if (ends.length > 30_000) break;
    }
    console.log(JSON.stringify({ ...(await settle()), cuts }));
  `);
  assert.ok((cuts as number) > 20, `${cuts} cuts`);
  assert.equal((ids as number) + (rejected as number), calls);
});

test("everything else that a full stack cuts off ends in the platform's own error", async () => {
  const { cut } = await report(`
    const { discord, ulidFlake } = await import("graupel");
    // JavaScript as the source of randomness, so that the stack overflows in it, and nowhere else.
    let byte = 0;
    const draw = (bytes, frames) => (frames > 0 ? draw(bytes, frames - 1) : bytes.fill((byte++ % 200) + 1));
    Object.defineProperty(globalThis, "crypto", { value: { getRandomValues: (bytes) => draw(bytes, 3000) } });
    const worker = { internalWorkerId: 1, internalProcessId: 1 };
    const ahead = { sequenceFull: "borrow", maxAheadMs: 1e9 };
    const id = discord.compose({ timestamp: 1.75e12, ...worker, increment: 0 });
    const invalid = [];
    const calls = [
      () => ulidFlake.generator({ isolated: true, ...ahead }).nextMany(70),
      () => discord.compose({ time: new Date(1.75e12), ...worker, increment: 0 }),
      () => discord["~standard"].validate(id).issues && invalid.push(id),
      () => discord.generator({ ...worker, isolated: true }).stats(),
    ];
    for (const call of calls) {
      for (let i = 0; i < 50; i++) call();
      for (let round = 0; round < 3; round++) dive(call, 3000);
    }
    if (invalid.length > 0) throw new Error("a valid ID is invalid at the end of the stack");
    console.log(JSON.stringify(await settle()));
  `);
  assert.ok((cut as number) > 100, `${cut}`);
});
