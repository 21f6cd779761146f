/** Servers, each of a test of its own. */
import { after, before } from "node:test";
// @ts-expect-error: no types
import { start as mariadb } from "../../leases/servers/mysql.mjs";
// @ts-expect-error: no types
import { start as postgres } from "../../leases/servers/postgres.mjs";
// @ts-expect-error: no types
import { start as redis } from "../../leases/servers/redis.mjs";

interface Running {
  readonly port: number;
  stop(): Promise<void>;
}

export async function startPostgres() {
  const { port, stop } = (await postgres()) as Running;
  return { options: { host: "127.0.0.1", port, user: "postgres", database: "postgres" }, stop };
}

export async function startMariadb() {
  const { port, stop } = (await mariadb()) as Running;
  return { options: { host: "127.0.0.1", port, user: "root", database: "mysql" }, stop };
}

async function startRedis() {
  const { port, stop } = (await redis()) as Running;
  return { options: { host: "127.0.0.1", port }, stop };
}

/** A server for the tests of a file, whose own hooks wait for `started`: all of a file run at once. `close`: what ends before it. */
export function serverOf<T extends { stop(): Promise<unknown> }>(
  start: () => Promise<T>,
  close?: () => unknown,
) {
  const server = {} as T & { readonly started: Promise<void> };
  const started = start().then((running) => void Object.assign(server, running));
  before(() => started);
  after(async () => {
    await close?.();
    await server.stop?.();
  });
  return Object.assign(server, { started });
}

type Close = () => unknown;
export const usePostgres = (close?: Close) => serverOf(startPostgres, close);
export const useMariadb = (close?: Close) => serverOf(startMariadb, close);
export const useRedis = (close?: Close) => serverOf(startRedis, close);
