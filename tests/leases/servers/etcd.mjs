// etcd, by its HTTP gateway.

import { existsSync } from "node:fs";
import { freePort, temporary } from "../../support/places.mjs";
import { importBuilt } from "../lib/places.mjs";
import { started } from "../lib/program.mjs";

export const name = "etcd";
export const install = "apt-get install --no-install-recommends etcd-server";

const PROGRAM = "/usr/bin/etcd";

/** The paths of the programs. */
export const find = () => (existsSync(PROGRAM) ? [PROGRAM] : undefined);

export const clients = ["fetch"];

/** A store. */
export async function open({ port }) {
  const { etcd } = await importBuilt("lease/etcd");
  return { store: etcd({ url: `http://127.0.0.1:${port}` }), close: async () => {} };
}

export async function start() {
  const [directory, port, peerPort] = [temporary("etcd"), await freePort(), await freePort()];
  const [url, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const command = [
    PROGRAM,
    ...["--data-dir", "data", "--listen-client-urls", url, "--advertise-client-urls", url],
    ...["--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer],
    ...["--initial-cluster", `default=${peer}`],
  ];
  const isReady = async () => {
    const answer = await fetch(`${url}/health`).catch(() => undefined);
    return answer !== undefined && (await answer.json()).health === "true";
  };
  return started({
    ...{ command, directory, port, isReady },
    /** What clients connect to. */
    connect: () => url,
    /** What `open` takes. */
    connection: (options) => ({ port, ...options }),
  });
}
