// A broker that speaks Kafka's protocol: the mock cluster of librdkafka, in a consumer that has nothing to read.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporary } from "../../support/places.mjs";
import { started } from "../lib/program.mjs";

export const name = "a mock cluster of librdkafka";
export const install = "apt-get install --no-install-recommends kcat";

const PROGRAM = "/usr/bin/kcat";

/** The paths of the programs. */
export const find = () => (existsSync(PROGRAM) ? [PROGRAM] : undefined);

export async function start() {
  const directory = temporary("kafka");
  const port = () =>
    /bootstrap\.servers=127\.0\.0\.1:(\d+)/.exec(readFileSync(join(directory, "log"), "utf8"))?.[1];
  const args = ["-C", "-b", "127.0.0.1:1", "-t", "none", "-X", "test.mock.num.brokers=1", "-d", "mock"];
  const server = await started({
    command: [PROGRAM, ...args],
    directory,
    isReady: () => port() !== undefined,
  });
  return Object.assign(server, { port: Number(port()) });
}
