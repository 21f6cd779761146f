/** Logs, tables, caches, pages and search engines: what reads back the ID that was written. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Writable } from "node:stream";
import { Client as Elasticsearch } from "@elastic/elasticsearch";
import { Client as OpenSearch } from "@opensearch-project/opensearch";
import { configureStore, createSlice } from "@reduxjs/toolkit";
import { defaultSerializeQueryArgs } from "@reduxjs/toolkit/query";
import { hashKey } from "@tanstack/query-core";
import { parquetReadObjects } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import pino from "pino";
// @ts-expect-error: no types
import { createElement } from "react";
// @ts-expect-error: no types
import { renderToStaticMarkup } from "react-dom/server";
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

agreeWithPage("Logs, tables, caches and pages", {
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
  "Redux Toolkit, in the state": {
    error: /non-serializable value/,
    async roundTrip(ids, { id = (one: bigint) => one }) {
      const { actions, reducer } = createSlice({
        name: "order",
        initialState: { id: undefined as unknown },
        reducers: { open: (_, { payload }) => ({ id: payload }) },
      });
      const store = configureStore({ reducer });
      return ids.map((one) => {
        const warned = warnings(() => store.dispatch(actions.open((id as (one: bigint) => unknown)(one))));
        if (warned.length > 0) throw new Error(warned[0]);
        return store.getState().id;
      });
    },
  },
  "RTK Query, a key": {
    async roundTrip(ids) {
      const keys = ids.map((id) =>
        defaultSerializeQueryArgs({ endpointName: "", queryArgs: id, endpointDefinition: {} as never }),
      );
      return keys.map((key) => /\d{2,}/.exec(key)?.[0]);
    },
  },
  "React 18, a child": {
    async roundTrip(ids, { id = (one: bigint) => one }) {
      const text = (one: bigint) =>
        renderToStaticMarkup(createElement("b", null, (id as (one: bigint) => string)(one)));
      return ids.map((one) => /\d+/.exec(text(one))?.[0]);
    },
  },
});

/** What is printed as an error. */
function warnings(work: () => unknown): string[] {
  const printed: string[] = [];
  const { error } = console;
  console.error = (...words) => printed.push(words.join(" "));
  try {
    work();
  } finally {
    console.error = error;
  }
  return printed;
}

/** Keeps the JSON of documents, and gives it as `_source`, as both do. */
async function withDocuments<T>(work: (node: string) => Promise<T>): Promise<T> {
  const documents = new Map<string, string>();
  const server = createServer((request, answer) => {
    let body = "";
    const [path = ""] = (request.url ?? "").split("?");
    answer.setHeader("content-type", "application/json").setHeader("x-elastic-product", "Elasticsearch");
    request.setEncoding("utf8").on("data", (text) => {
      body += text;
    });
    request.on("end", () => {
      if (request.method === "PUT") documents.set(path, body);
      answer.end(`{"found":true,"_source":${documents.get(path)}}`);
    });
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** IDs as documents of Elasticsearch. `document`: of one ID. */
const throughElasticsearch = (document: (id: unknown) => unknown): Library => ({
  error: /serialize a BigInt/,
  roundTrip: (ids, { id = (one: bigint) => one }) =>
    withDocuments(async (node) => {
      const client = new Elasticsearch({ node });
      const found: unknown[] = [];
      for (const [i, one] of ids.entries()) {
        const place = { index: "orders", id: `${i}` };
        await client.index({ ...place, document: document((id as (one: bigint) => unknown)(one)) });
        found.push((await client.get<{ id: unknown }>(place))._source?.id);
      }
      return found;
    }),
});

agreeWithPage("Elasticsearch and OpenSearch", {
  "`@elastic/elasticsearch`": throughElasticsearch((id) => ({ id })),
  // A text is sent as it is: JSON of a program that writes all digits.
  "`@elastic/elasticsearch`, a `long`": throughElasticsearch((id) =>
    typeof id === "bigint" ? `{"id":${id}}` : { id },
  ),
  "`@opensearch-project/opensearch`": {
    error: /serialize a BigInt/,
    roundTrip: (ids, options) =>
      withDocuments(async (node) => {
        const client = new OpenSearch({ node, ...options });
        const found: unknown[] = [];
        for (const [i, id] of ids.entries()) {
          const place = { index: "orders", id: `${i}` };
          await client.index({ ...place, body: { id } });
          found.push((await client.get(place)).body._source?.id);
        }
        await client.close();
        return found;
      }),
  },
});
