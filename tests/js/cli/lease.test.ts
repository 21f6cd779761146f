/**
 * `graupel lease`: each command of lease.json runs in a separate process, with a module from
 * `stores/`, which prints the rest of the store to standard error. An open client must not keep the
 * process alive: after 30 s it would be killed, without an exit code.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import rows from "./lease.json" with { type: "json" };
import { json, outcome, start, words } from "./run.ts";

/**
 * `kind` and `label` are environment variables for the module. `prints` and `err` are patterns for
 * standard output and standard error.
 */
interface Row {
  readonly run: string;
  readonly kind?: string;
  readonly label?: string;
  readonly code?: number;
  readonly out?: readonly string[];
  readonly prints?: string;
  readonly err?: readonly string[];
}

/** Runs `graupel lease` with a command line, in the directory of the modules. */
function lease(line: string, env: NodeJS.ProcessEnv = {}) {
  const { NO_COLOR: _, FORCE_COLOR: __, ...own } = process.env;
  const cwd = join(import.meta.dirname, "stores");
  return outcome(start(["lease", ...words(line)], { cwd, env: { ...own, ...env }, timeout: 600_000 }));
}

for (const [name, all] of Object.entries<readonly Row[]>(rows)) {
  describe(`lease: ${name}`, { concurrency: 4 }, () => {
    for (const { run, kind, label, code = 0, out, prints, err: said = [] } of all) {
      it(kind === undefined ? run : `${run} (${kind})`, async () => {
        const found = await lease(run, { KIND: kind, LABEL: label });
        assert.equal(found.code, code, found.err);
        // A command that fails prints nothing.
        if (prints === undefined) assert.equal(found.out, (out ?? []).map((line) => `${line}\n`).join(""));
        else assert.match(found.out, new RegExp(prints));
        for (const pattern of said) assert.match(found.err, new RegExp(pattern, "m"));
      });
    }
  });
}

it("lease status as JSON: one record a line", async () => {
  const now = Date.UTC(2026, 0, 1) + 55_000;
  const [first, ...others] = json((await lease("status orders.mjs --json")).out);
  assert.deepEqual(first, {
    ...{ namespace: "orders", number: 0, fields: { datacenterId: 0, workerId: 0 }, state: "held" },
    ...{ label: "web-1 17", from: now - 25_000, until: now + 15_000, remainingMs: 15_000, now },
  });
  assert.deepEqual(
    others.map(({ state }) => state),
    ["expired", "free", "waiting"],
  );
  assert.equal(others[0]?.remainingMs, 0);
});

it("lease init takes no number from its holder, even if it has expired", async () => {
  const { out, err } = await lease("init now.mjs", { KIND: "full" });
  assert.equal(out, "few: already exists; starts do not wait\n");
  const left = JSON.parse(err) as { held: boolean; mark: number; now: number }[];
  assert.deepEqual(
    left.map(({ held, mark, now }) => [held, mark < now]),
    [
      [true, true],
      [true, false],
    ],
  );
});

it("lease init: a start is ready after one quarantine, of the module or the command line, and no number is kept", async () => {
  for (const [more, quarantineMs] of [
    ["", 20_000],
    [" --ttl-ms 500 --quarantine-ms 5000", 5_000],
  ] as const) {
    const before = Date.now();
    const { out, err } = await lease(`init now.mjs --json${more}`);
    const { readyMs, ...rest } = JSON.parse(out);
    assert.deepEqual(rest, { namespace: "few", quarantineMs });
    assert.ok(readyMs >= before + quarantineMs && readyMs <= Date.now() + quarantineMs);
    const [record, ...others] = JSON.parse(err);
    assert.deepEqual([others.length, record.held, record.mark], [0, false, readyMs]);
  }
});
