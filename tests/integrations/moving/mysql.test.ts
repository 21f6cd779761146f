/** The migration from UUID v4, in MariaDB. */
import { test } from "node:test";
import mysql from "mysql2/promise";
import { useMariadb } from "../support/servers.ts";
import { moves } from "./common.ts";

const server = useMariadb();

test("each step, while an application writes", async () => {
  const { host, port, user, database } = server.options;
  const connect = async () => {
    const db = await mysql.createConnection({ ...server.options, supportBigNumbers: true, timezone: "Z" });
    return {
      rows: async (text: string, values: readonly unknown[] = []) =>
        (await db.query(text, [...values]))[0] as Record<string, unknown>[],
      close: () => db.end(),
    };
  };
  const env = { DATABASE_URL: `mysql://${user}@${host}:${port}/${database}` };
  await moves({
    dialect: "mysql",
    connect,
    env,
    seeded: (count) => [
      "SET GLOBAL time_zone = '+00:00'",
      "SET time_zone = '+00:00'",
      `CREATE TABLE orders (id char(36) PRIMARY KEY, note varchar(40),
      created_at datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3))`,
      `CREATE TABLE items (order_id char(36) NOT NULL, note varchar(40),
      CONSTRAINT items_order_id FOREIGN KEY (order_id) REFERENCES orders (id))`,
      `INSERT INTO orders SELECT UUID(), CONCAT('old ', seq), '2016-01-01' + INTERVAL 7 * (seq % ${count / 7}) HOUR
      FROM seq_0_to_${count - 1}`,
      "INSERT INTO items SELECT id, note FROM orders",
    ],
  });
});
