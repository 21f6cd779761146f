// One process of a crowd: `node member.mjs <what, as JSON>`. Gets a number by the method under
// test, and generates IDs until it is killed. It writes each batch to its file before it generates
// the next one.

import { openSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { importTool } from "../../../tests/leases/lib/places.mjs";
import { Issue } from "../counts.mjs";
import { load } from "../load.mjs";
import { numbering } from "../stories.mjs";
import { ways } from "./ways.mjs";

const { name, port, host, behindMs, file } = JSON.parse(process.argv[2]);
const { package: specifier, begin } = ways.find((way) => way.name === name);
// End together with the parent.
process.once("disconnect", () => process.exit());

if (behindMs > 0) {
  // Replace the clock before the package is loaded.
  const { now } = Date;
  Date.now = () => now() - behindMs;
}

const { createClient } = await importTool("redis");
const client = createClient({ socket: { host: "127.0.0.1", port } });
client.on("error", () => {});
await client.connect();
const { number, next } = await begin({ client, module: await load(specifier), host });

const out = openSync(file, "a");
const issue = new Issue();
let told;
for (;;) {
  const ids = [];
  let failed = false;
  for (let i = 0; i < numbering.batch; i++) {
    try {
      ids.push(next());
    } catch (error) {
      issue.fail(error);
      failed = true;
      break;
    }
  }
  writeSync(out, BigUint64Array.from(ids));
  const held = number() ?? null;
  if (held !== told || failed) {
    told = held;
    process.send({ held, kinds: issue.kinds });
  }
  await sleep(1);
}
