/** PostgreSQL 14 or later, whose `extract` returns exact numbers. */
import type { AnyFormat } from "../any-format.js";
import { calculations, type Dialect, expressions } from "./expressions.js";
import { monthsOf } from "./months.js";
import { aheadOf, beside, countingNames, namedOptions, partsOf, quoted } from "./names.js";
import { idOf, placesOf } from "./places.js";
import { literal, MICROS } from "./scale.js";
import type { PostgresSql } from "./types.js";

/** The arithmetic of PostgreSQL. */
const dialect: Dialect = {
  quote: '"',
  // PostgreSQL truncates longer names. `part` is always well-formed text here.
  fits: (part) => encodeURIComponent(part).replace(/%../g, "-").length <= 63,
  words: "at most 63 bytes, without zero bytes",
  unsigned: false,
  // BETWEEN requires the parentheses.
  binary: (text) => `(${text} COLLATE "C")`,
  shifted: (column, shift) => `(CAST(${column} AS bigint) >> ${shift})`,
  // An interval of microseconds alone would use floating point.
  time: (ms) =>
    `((timestamp '1970-01-01' + make_interval(days => CAST(${ms} / 86400000 AS integer), secs => CAST(${ms} % 86400000 AS double precision) / 1000)) AT TIME ZONE 'UTC')`,
  // In UTC, because `extract` is immutable only for a timestamp without time zone.
  micros: (expression, isUnixMs) =>
    isUnixMs
      ? `floor(CAST(${expression} AS numeric) * 1000)`
      : `extract(epoch FROM CAST(${expression} AS timestamptz) AT TIME ZONE 'UTC') * 1000000`,
  quotient: (dividend, divisor) => `div(${dividend}, ${divisor})`,
  larger: (a, b) => `greatest(${a}, ${b})`,
  smaller: (a, b) => `least(${a}, ${b})`,
  raised: (ticks, shift) => `(CAST(${ticks} AS bigint) << ${shift})`,
};

/**
 * The first half of the key of the advisory lock: "grau" as bytes. The second half is the sequence.
 */
const LOCK = 0x6772_6175;

/** The statements for PostgreSQL. */
export function postgres(format: AnyFormat): PostgresSql {
  const quote = (parts: readonly string[]) => quoted(dialect, parts);

  return {
    ...expressions(dialect, format),

    functions(name) {
      const parts = partsOf(dialect, name, "name");
      const { time, unixMs, min, max } = calculations(dialect, format);
      return (
        [
          ["time", "id bigint", "timestamptz", time("id")],
          ["unix_ms", "id bigint", "bigint", unixMs("id")],
          ["min", '"time" timestamptz', "bigint", min('"time"')],
          ["max", '"time" timestamptz', "bigint", max('"time"')],
        ] as const
      ).map(([suffix, takes, gives, body]) => {
        const named = beside(dialect, parts, suffix);
        return `CREATE FUNCTION ${named}(${takes}) RETURNS ${gives} LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT ${body} $$`;
      });
    },

    partitions(options) {
      const { table, from, to } = namedOptions(options, ["table", "from", "to"]);
      const parts = partsOf(dialect, table, "table");
      return monthsOf(format, from, to, dialect.unsigned).map(({ name, first, next }) => {
        const partition = beside(dialect, parts, name, "table");
        return `CREATE TABLE ${partition} PARTITION OF ${quote(parts)} FOR VALUES FROM (${first}) TO (${next ?? "MAXVALUE"})`;
      });
    },

    defaults(options) {
      const given = namedOptions(options, ["table", "column", "fields", "name", "maxAheadMs"]);
      const { fields = {}, maxAheadMs = 10_000 } = given;
      const places = placesOf(format, fields, dialect.unsigned);
      const ahead = aheadOf(maxAheadMs) * MICROS;
      const { table, id, last: sequence, next } = countingNames(dialect, given);
      const { tick, epoch, bits, last, mask, half } = places;
      // A regclass constant follows a renamed sequence, and prevents its DROP.
      const counter = `E'${sequence.replace(/[\\']/g, "$&$&")}'::regclass`;
      return [
        `CREATE SEQUENCE ${sequence} MINVALUE 0`,
        // A transaction's advisory lock would be held until the transaction ends, and a session's
        // lock would survive an error. A lock that is taken in a block ends with the block if the
        // block ends in an error, while the new value of the sequence stays.
        `CREATE FUNCTION ${next}(counter regclass) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  clock bigint;
  place bigint;
  ahead bigint;
BEGIN
  BEGIN
    PERFORM pg_advisory_xact_lock(${LOCK}, counter::oid::integer);
    clock := (extract(epoch FROM clock_timestamp()) * 1000000)::bigint - ${literal(epoch - half)};
    place := greatest(pg_sequence_last_value(counter) + 1, (clock / ${tick}) << ${bits});
    ahead := (place >> ${bits}) * ${tick} - clock;
    IF clock < 0 OR place > ${(last << bits) | mask} OR ahead > ${ahead} THEN
      RAISE 'the clock is before the epoch, past the last tick, or % ms behind the last ID', ahead / 1000;
    END IF;
    PERFORM setval(counter, place);
    RAISE SQLSTATE 'GRAUP';
  EXCEPTION WHEN SQLSTATE 'GRAUP' THEN NULL;
  END;
  IF ahead > 0 THEN
    PERFORM pg_sleep(ahead / 1000000.0);
  END IF;
  RETURN ${idOf(places, "place")};
END $$`,
        `ALTER TABLE ${table} ALTER COLUMN ${id} SET DEFAULT ${next}(${counter})`,
      ];
    },
  };
}
