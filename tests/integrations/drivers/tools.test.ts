/** Loggers, tables, caches, pages and search engines that write IDs and read them back. */
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
import { agreeWithPage, type Library, type Line } from "./page.ts";

/** The function from the page's line that converts an ID. Without one, the ID stays unchanged. */
const written = ({ id = (one: bigint) => one }: Line): ((one: bigint) => unknown) => id;

/** A tool that writes JSON. `write` returns the JSON texts. */
const throughJson = (write: (ids: readonly unknown[]) => readonly string[]): Library => ({
  error: /serialize a BigInt/,
  roundTrip: async (ids, line) =>
    write(ids.map(written(line))).map((text) => [JSON.parse(text).id].flat().at(-1)),
});

/** The values in the ID column of a SheetJS sheet. */
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
    async roundTrip(ids, line) {
      const rows = ids.map((id) => ({ id: written(line)(id), name: "a" }));
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
    async roundTrip(ids, line) {
      const { actions, reducer } = createSlice({
        name: "order",
        initialState: { id: undefined as unknown },
        reducers: { open: (_, { payload }) => ({ id: payload }) },
      });
      const store = configureStore({ reducer });
      return ids.map((id) => {
        const warned = warnings(() => store.dispatch(actions.open(written(line)(id))));
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
    async roundTrip(ids, line) {
      const text = (id: bigint) => renderToStaticMarkup(createElement("b", null, written(line)(id)));
      return ids.map((id) => /\d+/.exec(text(id))?.[0]);
    },
  },
});

/** The errors that `work` prints. */
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

/** A server that stores JSON documents and returns them as `_source`, like both search engines. */
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

/**
 * Stores IDs as documents of a search engine. `clientOf`: makes its client from the page's line;
 * `document`: makes the document of an ID.
 */
const throughEngine = (
  clientOf: (
    node: string,
    line: Line,
  ) => {
    index(given: object): Promise<unknown>;
    get(given: object): Promise<{ _source?: { id: unknown }; body?: { _source: { id: unknown } } }>;
    close(): Promise<unknown>;
  },
  document: (id: unknown) => object,
): Library => ({
  error: /serialize a BigInt/,
  roundTrip: (ids, line) =>
    withDocuments(async (node) => {
      const client = clientOf(node, line);
      const found: unknown[] = [];
      for (const [i, id] of ids.entries()) {
        const place = { index: "orders", id: `${i}` };
        await client.index({ ...place, ...document(written(line)(id)) });
        const { _source, body } = await client.get(place);
        found.push((_source ?? body?._source)?.id);
      }
      await client.close();
      return found;
    }),
});
const elasticsearch = (node: string) => new Elasticsearch({ node }) as never;

agreeWithPage("Elasticsearch and OpenSearch", {
  "`@elastic/elasticsearch`": throughEngine(elasticsearch, (id) => ({ document: { id } })),
  // The client sends a string unchanged, such as JSON from a serializer that writes all digits.
  "`@elastic/elasticsearch`, a `long`": throughEngine(elasticsearch, (id) => ({
    document: typeof id === "bigint" ? `{"id":${id}}` : { id },
  })),
  "`@opensearch-project/opensearch`": throughEngine(
    (node, options) => new OpenSearch({ node, ...options }) as never,
    (id) => ({ body: { id } }),
  ),
});
