/** The migration from UUID v4, in PostgreSQL. */
import { test } from "node:test";
import pg from "pg";
import { usePostgres } from "../support/servers.ts";
import { moves } from "./common.ts";

const server = usePostgres();

test("each step, while an application writes", async () => {
  const { options, env } = await server.create("moving");
  const connect = async () => {
    const client = new pg.Client(options);
    await client.connect();
    return {
      async rows(text: string, values: readonly unknown[] = []) {
        let number = 0;
        return (
          await client.query(
            text.replaceAll("?", () => `$${++number}`),
            [...values],
          )
        ).rows;
      },
      close: () => client.end(),
    };
  };
  await moves({
    dialect: "postgres",
    connect,
    env,
    seeded: (count) => [
      `CREATE TABLE orders (id uuid PRIMARY KEY, note text, created_at timestamptz NOT NULL DEFAULT now())`,
      `CREATE TABLE items (order_id uuid NOT NULL REFERENCES orders, note text)`,
      `INSERT INTO orders SELECT gen_random_uuid(), 'old ' || n, timestamptz '2016-01-01' + n % ${count / 7} * interval '7 hours'
      FROM generate_series(0, ${count - 1}) AS n`,
      "INSERT INTO items SELECT id, note FROM orders",
    ],
  });
});
