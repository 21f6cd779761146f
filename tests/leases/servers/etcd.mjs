// etcd, through its HTTP gateway.

import { freePort } from "../../support/places.mjs";
import { importBuilt } from "../lib/places.mjs";
import { installed, started } from "../lib/program.mjs";

export const install = "apt-get install --no-install-recommends etcd-server";
export const find = installed("/usr/bin/etcd");
export const clients = ["fetch"];

const urlOf = (port) => `http://127.0.0.1:${port}`;

export async function open({ port }) {
  const { etcd } = await importBuilt("lease/etcd");
  return { store: etcd({ url: urlOf(port) }), close: async () => {} };
}

export async function start() {
  const peer = urlOf(await freePort());
  return started({
    command: (port) => [
      ...[...find(), "--data-dir", "data", "--initial-cluster", `default=${peer}`],
      ...["--listen-client-urls", urlOf(port), "--advertise-client-urls", urlOf(port)],
      ...["--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer],
    ],
    async isReady(port) {
      const answer = await fetch(`${urlOf(port)}/health`).catch(() => undefined);
      return answer !== undefined && (await answer.json()).health === "true";
    },
    open,
  });
}
