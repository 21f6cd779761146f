// Realms that start at the same time: each has its own registry, and so draws its own automatic partition.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { createContext, runInContext } from "node:vm";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { fileOf, testsJs } from "../support/places.ts";
import { node } from "../support/user-project.ts";

const ROUNDS = 4;
const entry = fileOf("graupel/sno");

/** The clock stands still in all of them, so they differ in nothing that comes from the clock. */
const STANDING = "Date.now = () => 1750000000000;";
const asked = `${STANDING} const { sno } = await import(${JSON.stringify(pathToFileURL(entry).href)});`;

/** Runs two realms at a time, several times. They may draw the same partition once (in one of 2,000 runs), but hardly twice. */
async function drawDifferently(realm: () => Promise<number>): Promise<void> {
  const partitions: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    partitions.push(...(await Promise.all([realm(), realm()])));
  }
  assert.ok(partitions.every((partition) => Number.isInteger(partition) && partition < 2 ** 16));
  assert.ok(new Set(partitions).size >= 2 * ROUNDS - 1, `drew ${partitions}`);
}

test("sno: two processes that start together draw different partitions", () =>
  drawDifferently(async () => {
    const code = `${asked} console.log(sno.inspect(sno.next()).partition);`;
    return Number.parseInt(await node(testsJs, "--input-type=module", "--eval", code), 10);
  }));

test("sno: two worker threads that start together draw different partitions", () =>
  drawDifferently(
    () =>
      new Promise((resolve, reject) => {
        const code = `(async () => {
          ${asked}
          require("node:worker_threads").parentPort.postMessage(sno.inspect(sno.next()).partition);
        })();`;
        const worker = new Worker(code, { eval: true });
        worker.once("message", resolve);
        worker.once("error", reject);
      }),
  ));

test("sno: two vm contexts draw different partitions", async () => {
  const bundle = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "graupel",
    platform: "browser",
  });
  const code = `${STANDING} ${bundle.outputFiles[0]?.text}; graupel.sno.inspect(graupel.sno.next()).partition`;
  await drawDifferently(async () => runInContext(code, createContext({ crypto, performance, TextEncoder })));
});
