/** Servers, each of a test of its own. */
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

export async function startRedis() {
  const { port, stop } = (await redis()) as Running;
  return { options: { host: "127.0.0.1", port }, stop };
}
