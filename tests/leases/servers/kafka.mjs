// A broker with Kafka's protocol: the mock cluster of librdkafka, inside a consumer without input.

import { readFileSync } from "node:fs";
import { installed, started } from "../lib/program.mjs";

export const install = "apt-get install --no-install-recommends kcat";
export const find = installed("/usr/bin/kcat");

export async function start() {
  let port;
  const server = await started({
    command: () => [
      ...find(),
      ...["-C", "-b", "127.0.0.1:1", "-t", "none", "-X", "test.mock.num.brokers=1", "-d", "mock"],
    ],
    // The program chooses its port itself.
    isReady(_, log) {
      port = /bootstrap\.servers=127\.0\.0\.1:(\d+)/.exec(readFileSync(log, "utf8"))?.[1];
      return port !== undefined;
    },
  });
  return { ...server, port: Number(port) };
}
