/** The page's Express program. */
import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import { describe, test } from "node:test";
// @ts-expect-error: no types
import express from "express";
import { list, optional, type Part, shape } from "graupel/schema";
import { importFrom } from "../support/guide.ts";
import { A, answersAsThePage, ask, BUSY, isRefused, listening, orders, PAGE } from "./requests.ts";

interface Response {
  readonly locals: Readonly<Record<string, unknown>>;
  json(value: unknown): void;
}
type Handler = (request: unknown, response: Response, next: () => void) => unknown;
interface App extends RequestListener {
  get(path: string, ...handlers: Handler[]): App;
  post(path: string, ...handlers: Handler[]): App;
  set(name: string, value: unknown): App;
}
interface Page {
  readonly app: App;
  check(part: string, schema: Part): Handler;
}

const load = () => importFrom<Page>(PAGE, "express");

/** Sends back a validated part of the request. */
const send =
  (part: string): Handler =>
  (_, response) =>
    response.json(response.locals[part]);

describe("the page's program", () => {
  answersAsThePage(async () => {
    const { app, check } = await load();
    const form = shape({ id: orders, only: optional(list(orders)) });
    // Disables the error log.
    app.set("env", "test");
    app.get("/header", check("headers", shape({ "x-order": orders })), send("headers"));
    app.post("/form", express.urlencoded(), check("body", form), send("body"));
    return await listening(createServer(app));
  });
});

test("objects and lists of `qs` in place of IDs are refused", async (t) => {
  const { app, check } = await load();
  const parts = shape({ id: optional(orders), only: optional(list(orders)) });
  app.set("query parser", "extended");
  app.get("/query", check("query", parts), send("query"));
  const { url, stop } = await listening(createServer(app));
  t.after(stop);
  for (const bad of [`id[]=${A}`, `only[a]=${A}`, `only[][x]=${A}`, `id[toString]=${A}`])
    isRefused(await ask(`${url}/query?${bad}`), "TYPE", bad);
  // Above a limit, `qs` turns an array into an object. No IDs may be lost silently.
  const many = await ask(`${url}/query?${BUSY.map((id) => `only=${id}`).join("&")}`);
  if (many.status === 200) assert.deepEqual(JSON.parse(many.text), { only: BUSY });
  else isRefused(many, "TYPE", "many");
});

test("without the replacer, an ID is the error that all know", async (t) => {
  const app = express() as App;
  app.set("env", "test");
  app.get("/", (_, response) => response.json({ id: orders.parse(A) }));
  const { url, stop } = await listening(createServer(app));
  t.after(stop);
  const { status, text } = await ask(url);
  assert.equal(status, 500);
  assert.match(text, /Do not know how to serialize a BigInt/);
});
