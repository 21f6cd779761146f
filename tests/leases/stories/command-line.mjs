// `graupel lease`, on a store whose module leaves its client open.

import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { fromRoot } from "../../../xtask/lib/process.mjs";
import { temporary } from "../../support/places.mjs";
import { output } from "../../support/run.mjs";
import { begin } from "../lib/disasters.mjs";
import { importBuilt, tools } from "../lib/places.mjs";
import { story } from "../lib/story.mjs";
import { wait } from "../lib/time.mjs";
import { open } from "../servers/redis.mjs";

const TIMES = { ttlMs: 4000, quarantineMs: 5000 };

const MODULE = (client, built, url) => `import { createClient } from "${client}";
import { redis } from "${built("lease/redis")}";
export { twitter as format } from "${built("index")}";
export const namespace = "orders";
export const { ttlMs, quarantineMs } = ${JSON.stringify(TIMES)};
export default redis(await createClient({ url: "${url}" }).connect(), { durable: true });
`;

/** Marks a number so far ahead as a renewal does while the server's clock is ahead. */
async function markAhead(store, request) {
  const { number } = await store.acquire(request);
  await store.renew({ ...request, number, nextToken: "next", ttlMs: 366 * 86_400_000 });
}

story("redis", "a namespace made, shown and repaired from the command line", async (afterwards) => {
  const { connection, connect } = await begin("redis", afterwards, { durable: true });
  const { store, close } = await open(connection());
  afterwards(close);
  const folder = temporary("command-line");
  const client = pathToFileURL(createRequire(join(tools, "package.json")).resolve("redis")).href;
  const built = (entry) => pathToFileURL(fromRoot("dist", `${entry}.js`)).href;
  writeFileSync(join(folder, "store.mjs"), MODULE(client, built, connect()));
  const graupel = (...args) =>
    output(process.execPath, [fromRoot("dist", "cli", "main.js"), "lease", ...args], { cwd: folder });
  const must = (holds, what) => {
    if (!holds) throw new Error(what);
  };

  const { readyMs } = JSON.parse(await graupel("init", "store.mjs", "--json"));
  await wait(readyMs - Date.now() + 50);
  const [{ lease }, { twitter }] = await Promise.all([importBuilt("lease"), importBuilt("index")]);
  const asked = { ...TIMES, format: twitter, namespace: "orders", label: "web-1 17" };
  const grants = [];
  const acquire = async (request) => {
    const grant = await store.acquire(request);
    grants.push(grant);
    return grant;
  };
  const worker = await lease({ ...store, acquire }, asked);
  must(grants.length === 1 && grants[0].from <= grants[0].now, `a start waits: ${JSON.stringify(grants)}`);
  const [held] = (await graupel("status", "store.mjs", "--json")).trim().split("\n").map(JSON.parse);
  must(held.state === "held" && held.label === "web-1 17", `who holds a number: ${JSON.stringify(held)}`);
  await worker.release();

  const layout = "1288834974657+1:41,5n,5n,12";
  const request = {
    ...TIMES,
    namespace: "orders",
    layout,
    last: 1023,
    mask: 0,
    bits: 0,
    token: "a",
    label: "",
  };
  await markAhead(store, request);
  const refusal = await graupel("repair", "store.mjs").catch(({ message }) => message);
  must(/numbers are blocked until/.test(refusal), `a repair without a statement: ${refusal}`);
  const newest = new Date().toISOString();
  const said = await graupel("repair", "store.mjs", "--stopped", "--newest", newest);
  must(/^orders: deleted/.test(said), said);
  must((await store.list("orders")).length === 0, "records are left");
});
