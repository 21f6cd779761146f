// The recipes of www/docs/workers that need Redis. Each runs in processes with the environment that
// its platform sets, and is ended by the platform's signals. The recipes are unchanged except for
// shorter times. Also the recipes for threads, in Bun.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { fromRoot } from "../../../xtask/lib/process.mjs";
import { fetched } from "../../everywhere/lib/tools.mjs";
import { IssuedIds } from "../../support/issued.mjs";
import { blocksOf, pageOf, programsOf, project, recipe } from "../../support/pages.mjs";
import { freePort, temporary } from "../../support/places.mjs";
import { output } from "../../support/run.mjs";
import { timesOf } from "../lib/crowd.mjs";
import { here, importBuilt, tools } from "../lib/places.mjs";
import { story } from "../lib/story.mjs";
import { until, wait } from "../lib/time.mjs";

const server = "redis";
const KUBERNETES = "workers/kubernetes.md";
const FROM_REDIS = "workers/from-redis.md";
const { ttlMs, quarantineMs } = timesOf(server);

/**
 * The manifest of a page. `env`: the variables that it sets; `value`: the value of a key, which
 * must be the same in every place.
 */
function manifest(page) {
  const yaml = blocksOf(pageOf(page)).find(({ language }) => language === "yaml").code;
  const env = [...yaml.matchAll(/\{ name: (\w+), value: "([^"]*)" \}/g)].map((match) => match.slice(1));
  return {
    env: Object.fromEntries(env),
    value(key) {
      const found = [...yaml.matchAll(new RegExp(`\\b${key}: ([^ ,}\\n]+)`, "g"))].map(([, value]) => value);
      assert.equal(new Set(found).size, 1, `${page}: ${key} is ${found.join(" and ") || "missing"}`);
      return found[0];
    },
  };
}

/**
 * Writes a recipe of a page with the times of these stories and, if given, a change. Returns its
 * file.
 */
function written(page, name, change = (code) => code) {
  const packages = { graupel: fromRoot(), redis: join(tools, "node_modules", "redis") };
  const code = recipe(page, name);
  const short = code.replace('namespace: "orders"', `$&, ttlMs: ${ttlMs}, quarantineMs: ${quarantineMs}`);
  return project(temporary("guide"), packages).write(name, change(short));
}

/** Starts a process with only this environment. */
function spawned(it, args, env) {
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "inherit"] });
  it.afterwards(() => child.kill("SIGKILL"));
  return { child, ended: once(child, "exit") };
}

/** The minimum number of IDs for a meaningful test. */
const LEAST = 200;

/** Starts a process that generates IDs with a recipe. */
function issuer(it, recipe, env) {
  const file = join(temporary("issued"), "ids");
  writeFileSync(file, "");
  const ids = () => readFileSync(file, "utf8").split("\n").slice(0, -1);
  const issues = () => until(() => ids().length > LEAST, `${recipe} makes IDs`);
  return { ...spawned(it, [join(here, "lib", "issuer.mjs"), recipe, file], env), ids, issues };
}

/** Fails if an ID repeats. */
function none(ids) {
  assert.ok(ids.length > LEAST, `${ids.length} IDs are no test`);
  new IssuedIds().add(ids);
  return `${ids.length} IDs, none twice`;
}

const urlOf = (port) => ({ REDIS_URL: `redis://127.0.0.1:${port}` });
/** The labels of the current holders. */
const holdersIn = async (store) =>
  (await store.list("orders")).filter(({ held }) => held).map(({ label }) => label.split(" ")[0]);

story(server, "the guide to Kubernetes: a rollout, as its manifest says", async (it) => {
  const running = await it.begin();
  const program = written(KUBERNETES, "deployment");
  const { env, value } = manifest(KUBERNETES);
  assert.deepEqual(Object.keys(env), ["PORT", "REDIS_URL"]);
  assert.equal(env.PORT, value("port"));
  // With the default times, a pod waits for 3 * `ttlMs` + 2 * `quarantineMs`.
  const patienceMs = 1000 * value("periodSeconds") * value("failureThreshold");
  const graceMs = 1000 * (value("terminationGracePeriodSeconds") - value("seconds"));
  assert.ok(patienceMs > 70_000 && graceMs > 0, `${patienceMs} ms, ${graceMs} ms`);
  const ids = [];

  /** Starts a pod and clients that request IDs from it while it is in service. */
  async function pod(name) {
    const PORT = String(await freePort());
    const { child, ended } = spawned(it, [program], { HOSTNAME: name, PORT, ...urlOf(running.port) });
    const ask = (path) => fetch(`http://127.0.0.1:${PORT}${path}`);
    const isReady = async () => (await ask(value("path")).catch(() => ({}))).status === 200;
    await until(isReady, `${name} is not ready`);
    let isServed = true;
    const traffic = (async () => {
      while (isServed) {
        const response = await ask("/");
        assert.equal(response.status, 200, name);
        ids.push(await response.text());
      }
    })();
    /**
     * Stops the pod as Kubernetes does: it removes the pod from the service during the sleep and
     * then sends SIGTERM.
     */
    return async () => {
      const enough = ids.length + LEAST;
      await until(() => ids.length > enough, `${name} makes IDs`);
      isServed = false;
      const last = request({ port: PORT, headers: { expect: "100-continue" } });
      const answer = once(last, "response");
      last.flushHeaders();
      await once(last, "continue");
      // The server has the request.
      child.kill("SIGTERM");
      last.end();
      const [{ statusCode }] = await answer;
      assert.equal(statusCode, 200);
      await traffic;
      assert.deepEqual(await ended, [0, null], `${name} does not end by itself`);
    };
  }

  const names = ["orders-5b8c7d9f66-zz7bq", "orders-7c9d8f6b44-28456", "orders-7c9d8f6b44-x2k4p"];
  const [first, second] = await Promise.all(names.slice(1).map(pod));
  const third = await pod(names[0]);
  const { store } = await it.open(running);
  const areHolders = (...some) =>
    until(async () => `${(await holdersIn(store)).sort()}` === `${some}`, `${some} hold numbers`);
  await areHolders(...names);
  await second();
  await areHolders(...names.slice(0, 2));
  await Promise.all([first(), third()]);
  await areHolders();
  return none(ids);
});

story(server, "the guide to Kubernetes: two pods of a StatefulSet with one name", async (it) => {
  const { port } = await it.begin();
  const program = written(KUBERNETES, "statefulset");
  const pod = () => issuer(it, program, { HOSTNAME: "orders-2", ...urlOf(port) });
  const old = pod();
  await old.issues();
  const other = pod();
  await wait(2 * ttlMs);
  assert.deepEqual(other.ids(), [], "two pods have one number");
  // The node is cut off and then reconnects.
  old.child.kill("SIGSTOP");
  await other.issues();
  old.child.kill("SIGCONT");
  // Both processes try to issue IDs.
  await wait(500);
  other.child.kill("SIGTERM");
  assert.deepEqual(await other.ended, [143, null]);
  const { snowflake } = await importBuilt("index");
  const orders = snowflake({ epoch: Date.UTC(2024, 0, 1), fields: { time: 41, worker: 10, sequence: 12 } });
  const ids = [...old.ids(), ...other.ids()];
  assert.deepEqual(new Set(ids.map((id) => orders.inspect(id).worker)), new Set([2]));
  return none(ids);
});

story(server, "the guide to a change from keys of Redis", async (it) => {
  const running = await it.begin();
  const { twitter } = await importBuilt("index");
  const all = [];
  /** Starts two processes that generate IDs in one datacenter. */
  async function two(program, datacenterId) {
    const both = [0, 1].map(() => issuer(it, program, urlOf(running.port)));
    all.push(...both);
    await Promise.all(both.map(({ issues }) => issues()));
    const centers = both.flatMap(({ ids }) => ids()).map((id) => twitter.inspect(id).datacenterId);
    assert.deepEqual(new Set(centers), new Set([datacenterId]));
    return both;
  }
  async function end(both, how) {
    for (const { child } of both) child.kill("SIGTERM");
    for (const { ended } of both) assert.deepEqual(await ended, how);
  }

  const before = await two(written(FROM_REDIS, "before"), 0);
  const during = await two(written(FROM_REDIS, "during"), 1);
  await end(before, [null, "SIGTERM"]);
  await wait(quarantineMs);
  // The last step of the guide omits `fixed`. The lowest numbers belong to datacenter 0.
  const last = written(FROM_REDIS, "during", (code) => code.replace(", fixed }", " }"));
  await end([...during, ...(await two(last, 0))], [143, null]);
  const { store, raw } = await it.open(running);
  assert.deepEqual(await holdersIn(store), []);
  assert.deepEqual(await raw.sendCommand(["KEYS", "graupel*"]), ["graupel:{orders}"]);
  return none(all.flatMap(({ ids }) => ids()));
});

story("threads", "the programs of the guide in Bun", async () => {
  const bun = await fetched("bun", "bin/bun");
  const folder = temporary("guide");
  for (const part of ["dist", "package.json"])
    cpSync(fromRoot(part), join(folder, "node_modules", "graupel", part), { recursive: true });
  for (const [name, code] of programsOf(pageOf("workers/threads-and-cluster.md"), "file="))
    writeFileSync(join(folder, name), code);
  for (const name of ["main.mjs", "cluster.mjs"]) {
    const printed = (await output(bun, [name], { cwd: folder })).trim().split("\n").sort();
    assert.deepEqual(printed, ["worker 0", "worker 1", "worker 2"], name);
  }
});
