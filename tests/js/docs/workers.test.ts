/**
 * The recipes of www/docs/workers that need no server, each in a process with the environment that
 * its platform sets. The recipes with Redis are in tests/leases/stories/guides.mjs, those for
 * workerd in tests/everywhere/hosts/edge.mjs.
 */
import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import consumers from "node:stream/consumers";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { memory } from "graupel/lease";
import { project, recipe } from "../../support/pages.mjs";
import { packageDirectory } from "../support/places.ts";

const directory = mkdtempSync(join(tmpdir(), "graupel-workers-"));
after(() => rmSync(directory, { recursive: true, force: true }));
const { write } = project(directory, { graupel: packageDirectory });

const KUBERNETES = "workers/kubernetes.md";
const SERVERLESS = "workers/serverless.md";

/** Exactly the variables that Kubernetes and Lambda set. */
const pod = (name: string) => ({
  HOSTNAME: name,
  KUBERNETES_SERVICE_HOST: "10.0.0.1",
  KUBERNETES_SERVICE_PORT: "443",
});
const LAMBDA = {
  AWS_EXECUTION_ENV: "AWS_Lambda_nodejs22.x",
  AWS_LAMBDA_FUNCTION_NAME: "orders",
  AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
  AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
  AWS_LAMBDA_LOG_STREAM_NAME: "2026/01/01/[$LATEST]58419525dade4d17a495dceeeed44708",
  AWS_REGION: "eu-west-1",
  LANG: "en_US.UTF-8",
  TZ: ":UTC",
};

/**
 * Runs a program until it exits. Returns its output, and the code of the error that ended it, if
 * any.
 */
async function ran(file: string, env: NodeJS.ProcessEnv): Promise<{ out: string; code: string | undefined }> {
  const child = fork(file, { env, execArgv: [], silent: true });
  const [out, err] = await Promise.all([
    consumers.text(child.stdout ?? assert.fail()),
    consumers.text(child.stderr ?? assert.fail()),
    once(child, "exit"),
  ]);
  return { out: out.trim(), code: /\[([A-Z_]+)\]$/m.exec(err)?.[1] };
}

test("Kubernetes: the ordinal of a pod, and what is refused", async () => {
  const file = write("ordinal", recipe(KUBERNETES, "ordinal"));
  const numbered = async (name: string) => ran(file, pod(name));
  assert.deepEqual(await numbered("orders-2"), { out: "2", code: undefined });
  assert.deepEqual(await numbered("orders-3"), { out: "", code: "RANGE" });
  assert.deepEqual(await numbered("orders-7c9d8f6b44-x2k4p"), { out: "", code: "TYPE" });
  assert.deepEqual(await numbered("orders-7c9d8f6b44-28456"), { out: "", code: "RANGE" });
});

/**
 * The environment of a function: a process that answers one request after another and is frozen
 * between them.
 */
class Environment {
  readonly child: ChildProcess;

  constructor(file: string, env: NodeJS.ProcessEnv = {}) {
    const host = `
      import { handler } from ${JSON.stringify(pathToFileURL(file))};
      process.once("disconnect", () => process.exit());
      process.on("message", () => handler().then(({ id }) => process.send({ id }), (error) => process.send({ error: String(error) })));
    `;
    this.child = fork(write(`host-${Math.random()}`, host), { env: { ...LAMBDA, ...env }, execArgv: [] });
    after(() => this.child.kill("SIGKILL"));
  }

  async invoke(): Promise<string> {
    this.child.kill("SIGCONT");
    this.child.send("request");
    const [{ id, error }] = (await once(this.child, "message")) as [{ id?: string; error?: string }];
    this.child.kill("SIGSTOP");
    return id ?? assert.fail(error);
  }
}

test("Lambda: environments with random numbers, frozen between requests", async () => {
  const file = write("lambda", recipe(SERVERLESS, "lambda"));
  const environments = Array.from({ length: 4 }, () => new Environment(file));
  const ids: string[] = [];
  for (let request = 0; request < 5; request++)
    ids.push(...(await Promise.all(environments.map((one) => one.invoke()))));
  assert.equal(new Set(ids).size, 20);
  const { sno } = await import("graupel/sno");
  const [first] = ids;
  const drawn = new Set(ids.map((id) => sno.inspect(id)).map((it) => `${it.partition} ${it.metabyte}`));
  // Two of four draw the same 24 bits with odds of 1 in 2.8 million.
  assert.equal(drawn.size, 4, first);
});

/**
 * A store behind HTTP that answers like the page's Durable Object. (tests/everywhere/hosts/edge.mjs
 * runs the store suite on that one in workerd.)
 */
async function behindHttp() {
  const store = memory() as unknown as Record<string, (request: unknown) => Promise<unknown>>;
  const server = createServer(async ({ url = "" }, outgoing) => {
    const request = await consumers.json(outgoing.req);
    outgoing.end(JSON.stringify(await store[url.slice(1)]?.(request)));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  write("remote", recipe(SERVERLESS, "remote"));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

test("Lambda: a lease over HTTP, through freezes of more than its time", async (t) => {
  const { address, server } = await behindHttp();
  t.after(() => server.close());
  const TTL_MS = 1000;
  const code = recipe(SERVERLESS, "lambda-lease");
  const short = code.replaceAll("120_000", String(TTL_MS));
  assert.notEqual(short, code);
  const file = write("lambda-lease", short);
  const environments = Array.from({ length: 3 }, () => new Environment(file, { NUMBERS_URL: address }));
  const [first, second, third] = environments as [Environment, Environment, Environment];
  const ids = [await first.invoke(), await second.invoke()];
  // Both are frozen for longer than their leases last, so the third may get any number.
  await pause(2 * TTL_MS);
  ids.push(await third.invoke());
  for (const one of environments) for (let i = 0; i < 3; i++) ids.push(await one.invoke());
  assert.equal(new Set(ids).size, ids.length);
});
