/** The database of this run, and its words for what all databases can do. */
import { before } from "node:test";
import { twitter } from "graupel";
import { sql } from "graupel/sql";
import mysql from "mysql2/promise";
import pg from "pg";
import { database, useDatabase } from "../support/servers.ts";

/** A row of strings, with null for NULL. */
type Row = (string | null)[];

/** A database session. */
export interface Session {
  rows(text: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

const texts = (rows: unknown): Row[] =>
  Array.isArray(rows)
    ? (rows as unknown[][]).map((row) => row.map((value) => (value === null ? null : `${value}`)))
    : [];

export const server = useDatabase(() => own?.close());
export const dialect = database as "postgres" | "mysql";

const CONNECT = {
  async postgres(): Promise<Session> {
    const client = new pg.Client(server.options);
    await client.connect();
    return {
      rows: async (text, values = []) => texts((await client.query({ text, values, rowMode: "array" })).rows),
      close: () => client.end(),
    };
  },
  async mysql(): Promise<Session> {
    const exact = { supportBigNumbers: true, bigNumberStrings: true, dateStrings: true } as const;
    const client = await mysql.createConnection({ ...server.options, ...exact, rowsAsArray: true });
    return {
      rows: async (text, values = []) => texts((await client.query(text, values))[0]),
      close: () => client.end(),
    };
  },
};
/** Opens another session. */
export const connect = CONNECT[dialect];

let own: Session;
before(async () => {
  await server.started;
  own = await connect();
});
export const rows: Session["rows"] = (text, values) => own.rows(text, values);
export async function run(statements: readonly string[]): Promise<void> {
  for (const statement of statements) await rows(statement);
}

/**
 * `seen`: a condition on the table `seen` that only this database supports. `hours`: a query that
 * returns 100,000 rows, each with a time. `quoting`: settings that change how names are quoted.
 * `texts`: types of columns, each with the setting that makes the planner use a small table's
 * index, if there is one.
 */
const WORDS = {
  postgres: {
    ...{ schema: "public", unsigned: "bigint", analyze: "VACUUM ANALYZE" },
    async planOf(query: string, values: unknown[] = [], settings = "SELECT 1") {
      const session = await connect();
      await session.rows(settings);
      const plan = await session.rows(
        `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ${query}`,
        values,
      );
      await session.close();
      return plan.flat().join("\n");
    },
    ago: (number: number, unit: string) => `now() - interval '${number} ${unit}'`,
    instant: (text: string) => `timestamptz '${text}+00'`,
    textOf: (time: string) => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS')`,
    zones: ["UTC", "Europe/Berlin", "Asia/Kathmandu"],
    setZone: (zone: string) => `SET TIME ZONE '${zone}'`,
    hours: "SELECT g * 4194304::bigint * 3600000 FROM generate_series(1, 100000) AS g",
    seen: [
      "placeholders",
      sql(twitter, "postgres").between("id", "$1", { unixMs: "$2" }),
      [new Date(1.5e12), 1.500001e12],
    ],
    usesKey: (plan: string) =>
      /Index Only Scan using seen_pkey|Bitmap Index Scan on seen_pkey/.test(plan) && !plan.includes("Filter"),
    partitioned: "PARTITION BY RANGE (id)",
    partition: (month: string) => `events_${month}`,
    of: (partition: string) => partition,
    partitionsIn: (plan: string) => [
      ...new Set([...plan.matchAll(/on (events_\w+?)(_pkey| |$)/gm)].map(([, name = ""]) => name)),
    ],
    insert: (table: string, ids: readonly unknown[]) =>
      rows(`INSERT INTO ${table} SELECT unnest($1::text[])::${/words/.test(table) ? "text" : "bigint"}`, [
        ids,
      ]),
    quote: (name: string) => `"${name.replaceAll('"', '""')}"`,
    names: ['a"b', "a.b", "Größe; --", "'x'", "$$", "back\\slash", "日本"],
    quoting: ["SELECT 1"],
    texts: {
      'text COLLATE "C"': "SET enable_seqscan = off",
      'text COLLATE "en-x-icu"': undefined,
      'text COLLATE "da-x-icu"': undefined,
    },
  },
  mysql: {
    ...{ schema: "app", unsigned: "bigint unsigned", analyze: "ANALYZE TABLE" },
    planOf: async (query: string) =>
      (await rows(`EXPLAIN PARTITIONS ${query}`)).map((row) => row.join(" ")).join("\n"),
    ago: (number: number, unit: string) => `UTC_TIMESTAMP() - INTERVAL ${number} ${unit}`,
    instant: (text: string) => `TIMESTAMP'${text}'`,
    textOf: (time: string) => `CAST(${time} AS CHAR)`,
    zones: ["+00:00", "-09:30", "+05:45"],
    setZone: (zone: string) => `SET time_zone = '${zone}'`,
    hours: "SELECT seq * 4194304 * 3600000 FROM seq_1_to_100000",
    seen: [
      "Unix milliseconds",
      sql(twitter, "mysql").between("id", { unixMs: "1.5e12" }, { unixMs: "1500001000000.25" }),
      [],
    ],
    usesKey: (plan: string) => / range PRIMARY PRIMARY 8 /.test(plan),
    partitioned: "",
    partition: (month: string) => `p${month}`,
    of: (partition: string) => `events PARTITION (${partition})`,
    partitionsIn: (plan: string) => /events (\S+) range/.exec(plan)?.[1]?.split(",") ?? [],
    async insert(table: string, ids: readonly unknown[]) {
      for (let i = 0; i < ids.length; i += 5000) {
        await rows(`INSERT INTO ${table} VALUES ?`, [ids.slice(i, i + 5000).map((id) => [id])]);
      }
    },
    quote: (name: string) => `\`${name.replaceAll("`", "``")}\``,
    names: ["a`b", "a.b", "Größe; --", "'x'", '"x"', "back\\slash", "日本"],
    quoting: ["", "ANSI_QUOTES", "NO_BACKSLASH_ESCAPES"].map((mode) => `SET sql_mode = '${mode}'`),
    texts: { "CHAR(16) CHARACTER SET ascii COLLATE ascii_bin": "", "VARCHAR(16) COLLATE utf8mb4_bin": "" },
  },
};
export const words = WORDS[dialect as "postgres"];
