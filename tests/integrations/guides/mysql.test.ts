/** The guide to IDs in MySQL and MariaDB, and its claims about them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import mysql from "mysql2/promise";
import { runGuide } from "../support/guide.ts";
import { ODD } from "../support/rows.ts";
import { useMariadb } from "../support/servers.ts";

const server = useMariadb();

test("the guide", async () => {
  const { host, port, user, database } = server.options;
  const env = { DATABASE_URL: `mysql://${user}@${host}:${port}/${database}` };
  await runGuide("mysql.md", "mysql", { env, lines: 6 });
});

test("the guide to shards: what MariaDB hashes, and what it does not", async () => {
  const { host, port, user } = server.options;
  const own = await mysql.createConnection(server.options);
  await own.query("CREATE DATABASE shards");
  await own.end();
  const env = { DATABASE_URL: `mysql://${user}@${host}:${port}/shards` };
  await runGuide("shard.md", "mysql", { env, lines: 5 });
});

test("an insert without an ID fails; values of each kind find one row; JSON inside is whole or rounded", async () => {
  const own = await mysql.createConnection({ ...server.options, supportBigNumbers: true });
  await own.query("CREATE TABLE found (id bigint PRIMARY KEY, note text)");
  const none = own.query("INSERT INTO found (note) VALUES ('none')");
  await assert.rejects(none, { code: "ER_NO_DEFAULT_FOR_FIELD" });
  // Adjacent IDs that round to the same number.
  const near = [ODD - 1n, ODD, ODD + 1n];
  await own.query("INSERT INTO found (id) VALUES ?", [near.map((id) => [id])]);
  for (const id of [ODD, `${ODD}`]) {
    for (const how of ["query", "execute"] as const) {
      for (const text of ["id = ?", "id BETWEEN ? AND ?", "id IN (?, ?)"]) {
        const of = `SELECT id FROM found WHERE ${text}`;
        const values = Array(text.split("?").length - 1).fill(id);
        const [rows] = await (how === "query" ? own.query(of, values) : own.execute(of, values));
        assert.deepEqual(rows, [{ id: `${ODD}` }], `${how}: ${text}, ${typeof id}`);
      }
    }
  }
  // The setting does not change other values; the second one is returned as text with it.
  const others =
    "SELECT COUNT(*) AS n, CAST(9007199254740991 AS SIGNED) AS large, 1.5 AS fraction, ? AS small";
  for (const call of [own.query(others, [7]), own.execute(others, [7])]) {
    assert.deepEqual((await call)[0], [{ n: 1, large: 9007199254740991, fraction: "1.5", small: 7 }]);
  }
  const inside = "SELECT JSON_OBJECT('id', id) AS row FROM found WHERE id = ?";
  assert.deepEqual((await own.execute(inside, [ODD]))[0], [{ row: { id: `${ODD}` } }]);
  await own.end();
  const rounding = await mysql.createConnection(server.options);
  const [[{ row }]] = (await rounding.execute(inside, [ODD])) as unknown as [[{ row: { id: number } }]];
  assert.equal(row.id, Number(ODD));
  await rounding.end();
});

test("texts that differ in their case are one key, unless the collation is binary", async () => {
  const own = await mysql.createConnection(server.options);
  for (const [name, collation] of Object.entries({ lenient: "", strict: "COLLATE utf8mb4_bin" })) {
    await own.query(`CREATE TABLE ${name} (id char(11) ${collation} PRIMARY KEY)`);
    const insert = () => own.query(`INSERT INTO ${name} VALUES ('1t9ATWyqQwi'), ('1t9aTWyqQwi')`);
    await (name === "strict" ? insert() : assert.rejects(insert, { code: "ER_DUP_ENTRY" }));
  }
  await own.end();
});
