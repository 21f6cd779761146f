/** The program of the page about NestJS with TypeORM, as a process with PostgreSQL. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import pg from "pg";
import { withModules } from "../support/guide.ts";
import { orders } from "../support/rows.ts";
import { usePostgres } from "../support/servers.ts";

const server = usePostgres();

/** A number is held until its mark, in Unix milliseconds. */
const HELD = `SELECT count(*)::int AS held FROM graupel_lease
  WHERE number >= 0 AND mark > extract(epoch FROM clock_timestamp()) * 1000`;

interface Row {
  readonly id: string;
}
type Saved = Row & { readonly lines: readonly (Row & { product: string })[] };

test("each start acquires a number before the first request, and releases it at SIGTERM", async () => {
  const env = { ...process.env, PORT: "0", ...server.env };
  await withModules("nestjs.md", "mjs", async (folder) => {
    const file = join(folder, "ids.mjs");
    // The first start in a namespace waits this long.
    const short = readFileSync(file, "utf8").replace(`"orders"`, `"orders", ttlMs: 2000, quarantineMs: 2000`);
    writeFileSync(file, short);
    const serving = async (work: (url: string) => Promise<void>) => {
      const child = spawn(process.execPath, [join(folder, "app.mjs")], { env });
      const out: string[] = [];
      const url = new Promise<string>((done, fail) => {
        child.once("exit", () => fail(new Error(out.join(""))));
        for (const stream of [child.stdout, child.stderr])
          stream.on("data", (data) => {
            out.push(String(data));
            const [found] = /^http:\S+$/m.exec(out.join("")) ?? [];
            if (found !== undefined) done(found.replace("[::1]", "127.0.0.1"));
          });
      });
      try {
        await work(await url);
        const ended = once(child, "exit");
        child.kill("SIGTERM");
        assert.deepEqual(await ended, [null, "SIGTERM"], out.join(""));
      } finally {
        child.kill("SIGKILL");
      }
    };
    let first: Saved | undefined;
    await serving(async (url) => {
      assert.equal(await (await fetch(`${url}/ready`)).text(), "held");
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ products: ["tea", "jam"] });
      first = (await (await fetch(`${url}/orders`, { method: "POST", headers, body })).json()) as Saved;
      for (const body of ["{}", `{"products":[null]}`]) {
        const { status } = await fetch(`${url}/orders`, { method: "POST", headers, body });
        assert.equal(status, 400);
      }
      const workers = [first, ...first.lines].map(({ id }) => orders.inspect(orders.parse(id)).worker);
      assert.deepEqual(workers, [0, 0, 0]);
    });
    await serving(async (url) => {
      const { id, lines } = first as Saved;
      const found = (await (await fetch(`${url}/orders/${id}`)).json()) as Saved;
      assert.deepEqual([found.id, found.lines.map(({ product }) => product).sort()], [id, ["jam", "tea"]]);
      assert.equal((await fetch(`${url}/orders/${lines[0]?.id}`)).status, 404);
      for (const wrong of [`0${id}`, "x", "9".repeat(19)])
        assert.equal((await fetch(`${url}/orders/${wrong}`)).status, 400, wrong);
      const db = new pg.Client(env.DATABASE_URL);
      await db.connect();
      const { rows } = await db.query(HELD);
      await db.end();
      assert.equal(rows[0].held, 1, "the first start holds no number any more");
    });
  });
});
