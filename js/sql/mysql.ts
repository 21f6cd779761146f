/**
 * MariaDB and MySQL. Times are in UTC, because a local time cannot express the repeated hour at the
 * end of daylight saving.
 */
import type { AnyFormat } from "../any-format.js";
import { calculations, type Dialect, expressions } from "./expressions.js";
import { monthsOf } from "./months.js";
import { aheadOf, beside, countingNames, namedOptions, partsOf, quoted } from "./names.js";
import { idOf, type Places, placesOf } from "./places.js";
import { literal, MICROS } from "./scale.js";
import type { MysqlSql } from "./types.js";

/** The arithmetic of both databases. */
const dialect: Dialect = {
  quote: "`",
  // Names allow only characters of the Basic Multilingual Plane.
  fits: (part) => part.length <= 64 && !/[\u{10000}-\u{10FFFF}]|\s$/u.test(part),
  words: "at most 64 characters below U+10000, no space at the end, without zero bytes",
  unsigned: true,
  // The collation of the column decides. With another collation here, MariaDB ignores the index or
  // fails.
  binary: (text) => text,
  shifted: (column, shift) => `CAST((${column} >> ${shift}) AS SIGNED)`,
  time: (ms) =>
    `CAST(TIMESTAMP'1970-01-01 00:00:00.000' + INTERVAL (${ms} * 1000) MICROSECOND AS DATETIME(3))`,
  micros: (expression, isUnixMs) =>
    isUnixMs
      ? `CAST(FLOOR((${expression}) * 1000) AS SIGNED)`
      : `TIMESTAMPDIFF(MICROSECOND, '1970-01-01', ${expression})`,
  quotient: (dividend, divisor) => `(${dividend} DIV ${divisor})`,
  larger: (a, b) => `greatest(${a}, ${b})`,
  smaller: (a, b) => `least(${a}, ${b})`,
  raised: (ticks, shift) => `(${ticks} << ${shift})`,
};

/** The clock of `UUID()`: its reading at 1970-01-01, in units of 100 ns. */
const UUID_1970 = 122_192_928_000_000_000n;
const UUID_MICRO = 10n;

/**
 * The ticks since the epoch, from the hexadecimal digits of a UUID's time. Only the clock of
 * `UUID()` is in UTC and advances within a statement. A time before the epoch is out of range,
 * which is an error.
 */
const ticksOf = ({ epoch, tick, half }: Places, digits: string): string =>
  `((CAST(CONV(${digits}, 16, 10) AS UNSIGNED) - ${literal(UUID_1970 + (epoch - half) * UUID_MICRO)}) DIV ${tick * UUID_MICRO})`;

/**
 * The time of a UUID, high to low, in one expression. It contains no backslash, whose meaning
 * depends on the session's `sql_mode`.
 */
const UUID_DIGITS = `REGEXP_REPLACE(UUID(), '(.{8})-(.{4})-.(.{3})-.*', CONCAT(${[3, 2, 1].map((group) => `CHAR(92), '${group}'`).join(", ")}))`;

const quote = (parts: readonly string[]) => quoted(dialect, parts);

/** The statements for both databases. */
export function mysql(format: AnyFormat): MysqlSql {
  return {
    ...expressions(dialect, format),

    functions(name) {
      const parts = partsOf(dialect, name, "name");
      const { time, unixMs, min, max } = calculations(dialect, format);
      return (
        [
          ["time", "id BIGINT UNSIGNED", "DATETIME(3)", time("id")],
          ["unix_ms", "id BIGINT UNSIGNED", "BIGINT", unixMs("id")],
          ["min", "`time` DATETIME(6)", "BIGINT UNSIGNED", min("`time`")],
          ["max", "`time` DATETIME(6)", "BIGINT UNSIGNED", max("`time`")],
        ] as const
      ).map(([suffix, takes, gives, body]) => {
        const named = beside(dialect, parts, suffix);
        return `CREATE FUNCTION ${named}(${takes}) RETURNS ${gives} DETERMINISTIC NO SQL RETURN ${body}`;
      });
    },

    partitions(options) {
      const { table, column, from, to } = namedOptions(options, ["table", "column", "from", "to"]);
      const name = quote(partsOf(dialect, table, "table"));
      const parts = monthsOf(format, from, to, true).map(
        ({ name, next }) =>
          `PARTITION p${name} VALUES LESS THAN ${next === undefined ? "MAXVALUE" : `(${next})`}`,
      );
      const what =
        column === undefined
          ? "ADD PARTITION"
          : `PARTITION BY RANGE (${quote(partsOf(dialect, [column], "column"))})`;
      return [`ALTER TABLE ${name} ${what} (\n  ${parts.join(",\n  ")}\n)`];
    },

    defaults(options) {
      const given = namedOptions(options, ["table", "column", "fields", "name"]);
      const { table, id, last } = countingNames(dialect, given);
      const places = placesOf(format, given.fields ?? {}, dialect.unsigned);
      const end = places.last + 1n;
      // NULL after the last tick, which a NOT NULL column rejects.
      const tick = `nullif(least(${ticksOf(places, UUID_DIGITS)}, ${end}), ${end})`;
      return [
        `CREATE SEQUENCE ${last} START 0 MINVALUE 0`,
        `ALTER TABLE ${table} ALTER COLUMN ${id} SET DEFAULT ((${tick} << ${places.shift}) | ((NEXTVAL(${last}) & ${places.mask}) << ${places.low}) | ${places.fixed})`,
      ];
    },

    trigger(options) {
      const given = namedOptions(options, ["table", "column", "fields", "name", "maxAheadMs"]);
      const { table, id, last, next } = countingNames(dialect, given);
      const places = placesOf(format, given.fields ?? {}, dialect.unsigned);
      const ahead = (aheadOf(given.maxAheadMs ?? 10_000) * MICROS) / places.tick;
      const digits = "CONCAT(SUBSTR(clock, 16, 3), SUBSTR(clock, 10, 4), SUBSTR(clock, 1, 8))";
      return [
        `CREATE TABLE IF NOT EXISTS ${last} (one TINYINT PRIMARY KEY, place BIGINT UNSIGNED NOT NULL) ENGINE=InnoDB`,
        `INSERT IGNORE INTO ${last} VALUES (1, 0)`,
        `ALTER TABLE ${table} ALTER COLUMN ${id} SET DEFAULT 0`,
        `CREATE TRIGGER ${next} BEFORE INSERT ON ${table} FOR EACH ROW
BEGIN
  DECLARE clock CHAR(36) DEFAULT UUID();
  DECLARE tick BIGINT UNSIGNED;
  DECLARE counter BIGINT UNSIGNED;
  IF coalesce(NEW.${id}, 0) = 0 THEN
    SET tick = ${ticksOf(places, digits)};
    UPDATE ${last} SET place = greatest(place + 1, tick << ${places.bits});
    SELECT place INTO counter FROM ${last};
    IF counter IS NULL OR counter > ${(places.last << places.bits) | places.mask} OR (counter >> ${places.bits}) > tick + ${ahead} THEN
      SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the clock is past the last tick, or far behind the last ID';
    END IF;
    SET NEW.${id} = ${idOf(places, "counter")};
  END IF;
END`,
      ];
    },
  };
}
