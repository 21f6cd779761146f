/** `graupel lease`: each command in a process of its own, with a module of `stores/`, which says on standard error what is left in the store. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { outcome, start, words } from "./run.ts";

const directory = join(import.meta.dirname, "stores");

/** Runs `graupel lease` with a command line, where the modules are. */
function lease(line: string, KIND?: string, more: NodeJS.ProcessEnv = {}) {
  const { NO_COLOR: _, FORCE_COLOR: __, ...env } = process.env;
  return outcome(
    start(["lease", ...words(line)], { cwd: directory, env: { ...env, KIND, ...more }, timeout: 30_000 }),
  );
}

async function succeeds(line: string, KIND?: string): Promise<{ out: string; left: string }> {
  const { code, out, err } = await lease(line, KIND);
  assert.equal(code, 0, err);
  return { out, left: err };
}

/** That a command fails, with the sentence on standard error before what the module says. */
async function fails(line: string, status: number, message: RegExp, KIND?: string): Promise<string> {
  const { code, out, err } = await lease(line, KIND);
  assert.deepEqual([code, out], [status, ""], err);
  assert.match(err, message);
  return err;
}

describe("lease status", { concurrency: 4 }, () => {
  it("shows who holds what until when", async () => {
    const { out } = await succeeds("status orders.mjs");
    assert.equal(
      out,
      `number  datacenterId  workerId  state    from                  until                 left  holder
──────  ────────────  ────────  ───────  ────────────────────  ────────────────────  ────  ────────
     0             0         0  held     2026-01-01T00:00:30Z  2026-01-01T00:01:10Z  15 s  web-1 17
     1             0         1  expired  2026-01-01T00:00:30Z  2026-01-01T00:00:50Z        web-2 21
     2             0         2  free                           2026-01-01T00:00:35Z
    33             1         1  waiting  2026-01-01T00:01:00Z  2026-01-01T00:01:25Z  30 s  web-4 5
`,
    );
  });

  it("as JSON, one record a line", async () => {
    const { out } = await succeeds("status orders.mjs --json");
    const rows = out.trimEnd().split("\n");
    assert.equal(rows.length, 4);
    const now = Date.UTC(2026, 0, 1) + 55_000;
    assert.deepEqual(JSON.parse(rows[0] as string), {
      ...{ namespace: "orders", number: 0, fields: { datacenterId: 0, workerId: 0 }, state: "held" },
      ...{ label: "web-1 17", from: now - 25_000, until: now + 15_000, remainingMs: 15_000, now },
    });
    assert.deepEqual(
      rows.map((row) => JSON.parse(row).state),
      ["held", "expired", "free", "waiting"],
    );
    assert.equal(JSON.parse(rows[1] as string).remainingMs, 0);
  });

  it("lets no label reach the terminal", async () => {
    const LABEL = "\u001b[31mred";
    assert.match((await lease("status orders.mjs", undefined, { LABEL })).out, / \\u\{1b\}\[31mred\n$/);
    assert.match(
      (await lease("status orders.mjs --json", undefined, { LABEL })).out,
      /"label":"\\u001b\[31mred"/,
    );
  });

  it("takes the format from the command line, and needs none", async () => {
    const named = await succeeds("status orders.mjs --format discord");
    assert.match(named.out, /^number {2}internalWorkerId {2}internalProcessId {2}state/);
    const own = await succeeds(
      "status orders.mjs -f snowflake --epoch 0 --fields time:41,region:10,sequence:12",
    );
    assert.match(own.out, /^region {2}state/);
    const without = await succeeds("status open.mjs --namespace orders");
    assert.equal(without.out, "orders: no number was leased yet\n");
  });

  it("shows a fleet of devices, which has many numbers", async () => {
    assert.equal((await succeeds("status many.mjs")).out.trimEnd().split("\n").length, 200_002);
    await fails("repair many.mjs --format sno", 2, /200000 of 200000 numbers are marked ahead/);
  });

  it("reads a module in CommonJS that was written with an export default", async () => {
    assert.equal((await succeeds("status transpiled.cjs")).out, "orders: no number was leased yet\n");
    assert.equal((await succeeds("status transpiled.cjs --json")).out, "");
  });
});

describe("lease init", { concurrency: 4 }, () => {
  it("makes a namespace, without keeping a number", async () => {
    const before = Date.now();
    const { out, left } = await succeeds("init now.mjs --json");
    const { readyMs, ...rest } = JSON.parse(out);
    assert.deepEqual(rest, { namespace: "few", quarantineMs: 20_000 });
    assert.ok(readyMs >= before + 20_000 && readyMs <= Date.now() + 20_000);
    const [record, ...more] = JSON.parse(left);
    assert.deepEqual([more.length, record.held, record.mark], [0, false, readyMs]);
    assert.match((await succeeds("init now.mjs")).out, /^few: from 20\S+Z on, a start does not wait\n$/);
  });

  it("takes its quarantine from the command line", async () => {
    const { out } = await succeeds("init now.mjs --json --ttl-ms 500 --quarantine-ms 5000");
    assert.ok(Math.abs(JSON.parse(out).readyMs - Date.now() - 5000) < 2000, out);
  });

  it("leaves alone who holds a number, be it expired", async () => {
    const { out, left } = await succeeds("init now.mjs", "full");
    assert.equal(out, "few: it is there, and a start does not wait\n");
    const held = JSON.parse(left) as { held: boolean; mark: number; now: number }[];
    assert.deepEqual(
      held.map((one) => one.held),
      [true, true],
    );
    assert.ok(held.some(({ mark, now }) => mark < now) && held.some(({ mark, now }) => mark > now));
  });

  it("writes nothing where each start waits anyway", async () => {
    const { out, left } = await succeeds("init now.mjs", "forgetful");
    assert.equal(out, "few: nothing to prepare: the store may lose writes, so each start waits 20 s\n");
    assert.equal(left, "[]\n");
  });

  it("refuses a namespace of another layout", async () => {
    await fails(
      "init orders.mjs -f discord",
      1,
      /graupel: orders numbers IDs of the layout 1288\S+, and this is 14\S+\n/,
    );
  });
});

describe("lease repair", { concurrency: 4 }, () => {
  const all = "repair ahead.mjs --stopped --newest";

  it("forgets a namespace whose numbers are marked ahead, once the operator has stated what it cannot know", async () => {
    const { out, left } = await succeeds(`${all} 2025-01-31`);
    assert.equal(out, "orders: forgotten; the next start makes it anew, and waits 20 s\n");
    assert.equal(left, "0 records\n");
    const asJson = await succeeds(`${all} 2025-01-31 --json`);
    assert.deepEqual(JSON.parse(asJson.out), { namespace: "orders", quarantineMs: 20_000, forgotten: 2 });
  });

  it("refuses otherwise, and changes nothing", async () => {
    const refused = [
      ["repair ahead.mjs", 2, /2 of 2 numbers are marked ahead, until 20\S+Z; --stopped states/, ""],
      ["repair ahead.mjs --stopped", 2, /--newest TIME/, ""],
      ["repair ahead.mjs --newest 2025-01-31", 2, /--stopped/, ""],
      [`${all} 2200-01-01`, 1, /--newest: 2200-01-01 is to come/, ""],
      [`${all} soon`, 2, /--newest: expected Unix milliseconds/, ""],
      [`${all} 2025-01-31`, 1, /the store's clock is 1 h ahead of this one/, "ahead"],
      [
        `${all} 2025-01-31`,
        1,
        /number 2 is held until 20\S+Z, by web-3 5; stop all processes of orders/,
        "alive",
      ],
      [`${all} 2025-01-31`, 1, /that to you: delete all records of orders, in one step\n/, "plain"],
      [`${all} 2025-01-31`, 1, /that to you: DELETE FROM ids\.numbers WHERE namespace = 'orders'\n/, "table"],
      [`${all} 2025-01-31`, 1, /that to you: etcdctl del --prefix 'mine\/orders#'\n/, "prefix"],
    ] as const;
    for (const [line, status, message, kind] of refused) {
      const err = await fails(line, status, message, kind);
      assert.match(err, kind === "alive" ? /^3 records$/m : /^2 records$/m, line);
    }
  });

  it("does nothing where no mark is ahead", async () => {
    const { out, left } = await succeeds("repair now.mjs --stopped --newest 2025-01-31", "full");
    assert.equal(out, "few: nothing to repair: no mark is further ahead than 20 s\n");
    assert.equal(JSON.parse(left).length, 2);
  });
});

describe("lease, the module", { concurrency: 4 }, () => {
  it("does not keep the process by an open client, nor by a store that never answers", async () => {
    const since = performance.now();
    assert.equal(
      (await succeeds("status open.mjs --namespace orders")).out,
      "orders: no number was leased yet\n",
    );
    assert.ok(performance.now() - since < 8000);
    await fails(
      "status open.mjs --namespace orders",
      1,
      /^graupel: store: no answer within 10000 ms\n$/,
      "silent",
    );
  });

  it("says what is wrong with it", async () => {
    await fails("status nowhere.mjs", 1, /^graupel: there is no module "nowhere.mjs"\n$/);
    await fails(
      "status none.mjs",
      1,
      /^graupel: none.mjs: its default export is no store of leases, such as/,
    );
    await fails("status broken.mjs", 1, /^graupel: the server is down\n$/);
    await fails("status open.mjs", 2, /^graupel: which namespace\? Take --namespace, or export one/);
    await fails(
      "init open.mjs --namespace orders",
      2,
      /^graupel: which format\? Take --format, or export one/,
    );
  });

  it("checks what it exports as the options of a lease", async () => {
    const few = /--quarantine-ms: expected a number from 10000 to \d+, got -5\n/;
    await fails("init now.mjs --quarantine-ms -5", 2, few);
    await fails(
      "init now.mjs --ttl-ms 30000",
      2,
      /quarantineMs: expected an integer from 30000 to \d+, got 20000/,
    );
    await fails("init now.mjs --namespace a#b", 2, /namespace: expected 1 to 128 letters, digits and any of/);
  });
});
