/**
 * The statements of the PostgreSQL store. Each one is its own transaction, follows
 * js/lease/store-rules.ts, and reads the server's clock once. It reads from the snapshot at its
 * start and compares with the newest version of each row that it writes.
 */

const NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now";

/**
 * Whether a transaction of the user is open: it has written something, or an earlier statement of
 * ours has left a setting in it, which ends with the transaction.
 */
const OPEN = `concat(pg_current_xact_id_if_assigned(), current_setting('graupel.call', true)) <> '' AS open,
  set_config('graupel.call', '1', true)`;

/**
 * The store's time. `lock_timeout` limits the wait for a lock, which a transaction that never ends
 * may hold. The server also syncs the write before it answers, even if `synchronous_commit` is off.
 */
const CLOCK = `clock AS (
  SELECT ${NOW}, ${OPEN}, set_config('lock_timeout', '250', true), set_config('synchronous_commit', 'on', true)
)`;

/** The columns with integers, as text: `pg` with `binary: true` reads wrong integers. */
const INTEGERS = "now::text, number::text, began::text, mark::text";

/** The transaction ID, with which another statement can check whether it is committed. */
const XID = "pg_current_xact_id()::text AS xid";

/**
 * The statements for a table. The row with number -1 is the namespace itself: its `label` is the
 * layout, its `mark` the time of creation.
 */
export function statementsOf(table: string, durable: boolean) {
  const candidate = "namespace = $1 AND number BETWEEN 0 AND $3 AND number & $4 = $5";
  /** The time from which a number may be taken. */
  const due = durable ? "CASE token WHEN '' THEN 0 ELSE mark END" : "mark";
  const ahead = "greatest(mark, now + $9)";
  /**
   * Changes a number that one of the tokens holds. `$1`: namespace; `$2`: number; `$3`: tokens as
   * JSON; `$4`: next token. Returns a row without a number if none of them holds it.
   */
  const change = (mark: string, only = "") => `WITH ${CLOCK}, it AS (
  UPDATE ${table} SET token = $4, mark = ${mark} FROM clock
  WHERE NOT open AND namespace = $1 AND number = $2 AND $3::text::jsonb @> to_jsonb(token)${only} RETURNING number, began, mark, ${XID}
)
SELECT open, xid, ${INTEGERS} FROM clock LEFT JOIN it ON true`;
  return {
    create: `CREATE TABLE IF NOT EXISTS ${table} (
  namespace text, number bigint, token text, began bigint, mark bigint, label text, PRIMARY KEY (namespace, number)
)`,

    /**
     * `$1` namespace, `$2` layout, `$3` last, `$4` mask, `$5` bits, `$6` token, `$7` label, `$8`
     * the mark of a number without a record, in ms after the creation of the namespace, `$9` the
     * new mark, in ms from now. `$10`: 0; after other callers were faster, how many random numbers
     * to choose from beside the lowest.
     *
     * Returns one row: without a number if none was taken; without a layout if another caller is
     * creating the namespace.
     */
    acquire: `WITH ${CLOCK}, made AS (
  INSERT INTO ${table} SELECT $1::text, -1, '', now, now, $2::text FROM clock WHERE NOT open ON CONFLICT DO NOTHING RETURNING mark, label
), space(born, layout) AS (
  SELECT * FROM made UNION ALL SELECT mark, label FROM ${table} WHERE namespace = $1 AND number = -1
), seen AS (
  SELECT number, token, began, mark FROM ${table} WHERE ${candidate}
), own AS (
  SELECT number, began, mark, ${XID} FROM seen WHERE token = $6
), free AS (
  SELECT born FROM space, clock WHERE NOT open AND layout = $2 AND NOT EXISTS (SELECT FROM own)
), known AS (
  SELECT number, token, mark FROM ${table} AS it, clock, free WHERE ${candidate} AND ${due} <= now
  ORDER BY token <> '', mark, number LIMIT 1 FOR UPDATE OF it SKIP LOCKED
), fresh AS (
  SELECT number, '' AS token, born + $8 AS mark FROM free, (
    SELECT $5 AS number UNION ALL SELECT ((number | $4) + 1 & ~$4) + $5 FROM seen
    UNION ALL SELECT ((random() * $3)::bigint & ~$4) + $5 FROM generate_series(1, $10::int)
  ) AS it WHERE number <= $3 AND number NOT IN (SELECT number FROM seen)
  ORDER BY $10::int * random(), number LIMIT 1
), best AS (
  SELECT it.* FROM (SELECT * FROM known UNION ALL SELECT * FROM fresh) AS it, clock WHERE ${due} <= now
  ORDER BY token <> '', mark, number LIMIT 1
), taken AS (
  INSERT INTO ${table} AS it
  SELECT $1, number, $6, ${durable ? "mark" : ahead}, ${ahead}, $7 FROM best, clock
  ON CONFLICT (namespace, number) DO UPDATE
  SET token = excluded.token, began = excluded.began, mark = excluded.mark, label = excluded.label
  WHERE (it.token, it.mark) = (SELECT token, mark FROM best) RETURNING number, began, mark, ${XID}
)
SELECT open, layout, xid, ${INTEGERS}, ((
  SELECT min(${due}) FROM (SELECT token, mark FROM seen UNION ALL SELECT token, mark FROM fresh) AS it
) - now)::text AS wait FROM clock LEFT JOIN space ON true LEFT JOIN (SELECT * FROM own UNION ALL SELECT * FROM taken) AS it ON true`,

    /** `$5`: ttlMs. */
    renew: change("greatest(mark, now + $5)", durable ? "" : " AND now < mark"),

    /** `$5`: nextFree. */
    release: change("least(mark, greatest(began, $5))"),

    /**
     * Whether a transaction is open. `$1`: any text. Without values, postgres.js uses another
     * protocol, which fails with PgBouncer.
     */
    look: `SELECT $1::text, ${OPEN}`,

    /** `$1` namespace. */
    list: `SELECT token, label, ${INTEGERS} FROM ${table} AS it, (SELECT ${NOW}) AS clock WHERE namespace = $1 AND number >= 0 ORDER BY it.number`,
  };
}
