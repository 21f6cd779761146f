/** Logs, tables and caches: what reads back the ID that was written. */
import { Writable } from "node:stream";
import { hashKey } from "@tanstack/query-core";
import { parquetReadObjects } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import pino from "pino";
import winston from "winston";
import xlsx from "xlsx";
import { agreeWithPage, type Library } from "./page.ts";

/** A tool that writes JSON. `write` gives its texts. */
const throughJson = (write: (ids: readonly unknown[]) => readonly string[]): Library => ({
  error: /serialize a BigInt/,
  async roundTrip(ids, { id = (one: bigint) => one }) {
    return write(ids.map(id as (one: bigint) => unknown)).map((text) => [JSON.parse(text).id].flat().at(-1));
  },
});

/** What a table of SheetJS has in a column. */
const columnOf = (sheet: xlsx.WorkSheet) =>
  xlsx.utils.sheet_to_json<{ id: unknown }>(sheet).map(({ id }) => id);

agreeWithPage("Logs, tables and caches", {
  "`JSON.stringify`": throughJson((ids) => ids.map((id) => JSON.stringify({ id }))),
  pino: throughJson((ids) => {
    const lines: string[] = [];
    const logger = pino({}, { write: (line) => lines.push(line) });
    for (const id of ids) logger.info({ id });
    return lines;
  }),
  winston: throughJson((ids) => {
    const lines: string[] = [];
    const stream = new Writable({ write: (line, _, done) => done(void lines.push(String(line))) });
    const logger = winston.createLogger({ transports: [new winston.transports.Stream({ stream })] });
    for (const id of ids) logger.info("an order", { id });
    return lines;
  }),
  "SheetJS, a row of an array": {
    async roundTrip(ids, { id = (one: bigint) => one }) {
      const rows = ids.map((one) => ({ id: (id as (one: bigint) => unknown)(one), name: "a" }));
      return columnOf(xlsx.utils.json_to_sheet(rows));
    },
  },
  "SheetJS, a file of CSV": {
    async roundTrip(ids, options) {
      const { Sheets } = xlsx.read(`id\n${ids.join("\n")}`, { type: "string", ...options });
      return columnOf(Object.values(Sheets)[0] as xlsx.WorkSheet);
    },
  },
  "Parquet, `INT64` (hyparquet)": {
    async roundTrip(ids) {
      const file = parquetWriteBuffer({ columnData: [{ name: "id", data: [...ids], type: "INT64" }] });
      return (await parquetReadObjects({ file })).map(({ id }) => id);
    },
  },
  "TanStack Query, a key": throughJson((ids) => ids.map((id) => `{"id":${hashKey(["order", id])}}`)),
});
