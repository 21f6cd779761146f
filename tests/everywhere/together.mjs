// Eight workers start at the same time and must not issue the same ID twice. This file is a plain
// ES module, like checks.mjs, because hosts with different kinds of workers share it.

import { coreOf } from "./checks.mjs";
import { same, tally } from "./entries.mjs";

const WORKERS = 8;
const EACH = 10_000;

/**
 * Runs in the worker. `port`: sends and receives messages; either `parentPort` or the global scope.
 * sno chooses its partition at random.
 */
export function worker({ discord, sno }, port) {
  let ids;
  port.onmessage = ({ data }) => {
    if (typeof data === "number") {
      ids = discord.generator({ internalWorkerId: data, internalProcessId: 1 });
      ids.next();
      port.postMessage("ready");
      return;
    }
    const snos = Array.from({ length: EACH }, () => sno.next());
    const discords = Array.from({ length: EACH }, () => ids.next());
    port.postMessage({ partition: sno.inspect(snos[0]).partition, snos, discords });
    // A Node thread ends by itself: Node 20 may abort if a thread is terminated while V8 compiles
    // for it.
    if (port !== globalThis) port.close();
  };
}

/** Resolves to the next message. Node's workers emit events with a different API. */
const heard = (worker) =>
  new Promise((done, fail) => {
    if (worker.once !== undefined) {
      worker.once("message", done);
      worker.once("error", fail);
      return;
    }
    worker.onmessage = ({ data }) => done(data);
    worker.onerror = (event) => fail(new Error(`a worker failed: ${event.message}`));
  });

const repeated = (ids) => ids.length - new Set(ids).size;

/** Runs in the host. `start`: starts a worker. Resolves to the same result as `check`. */
export async function together(graupel, start) {
  const workers = Array.from({ length: WORKERS }, start);
  const tell = (messageOf) =>
    Promise.all(
      workers.map((worker, number) => {
        const answer = heard(worker);
        worker.postMessage(messageOf(number));
        return answer;
      }),
    );
  // Each worker has its number and a running core. Then all start at once.
  await tell((number) => number);
  const all = await tell(() => "go");
  for (const worker of workers) if (worker.once === undefined) worker.terminate();
  const result = { core: coreOf(graupel), passed: 0, failed: [] };
  // Two workers that chose the same partition may repeat IDs. For eight workers, the documented
  // odds are 1 in 2,341.
  const apart = new Map(all.map((one) => [one.partition, one.snos]));
  for (const [name, found, wanted] of [
    ["core", result.core, "WebAssembly"],
    ["sno: eight workers repeat nothing", repeated([...apart.values()].flat()), 0],
    ["discord: eight workers repeat nothing", repeated(all.flatMap((one) => one.discords)), 0],
    ["sno: most workers drew a partition of their own", apart.size >= WORKERS - 1, true],
  ])
    tally(result, name, () => same(found, wanted, name));
  return result;
}
