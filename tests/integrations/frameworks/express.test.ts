/** The page's Express program. */
import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import { describe, test } from "node:test";
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
  set(name: string, value: unknown): App;
}
interface Page {
  readonly app: App;
  check(part: string, schema: Part): Handler;
}

const load = () => importFrom<Page>(PAGE, "express");

describe("the page's program", () => {
  answersAsThePage(async () => {
    const { app } = await load();
    // Disables the error log.
    app.set("env", "test");
    return await listening(createServer(app));
  });
});

test("objects and lists of `qs` in place of IDs are rejected", async (t) => {
  const { app, check } = await load();
  const parts = shape({ id: optional(orders), only: optional(list(orders)) });
  app.set("query parser", "extended");
  app.get("/query", check("query", parts), (_, response) => response.json(response.locals.query));
  const { url, stop } = await listening(createServer(app));
  t.after(stop);
  for (const bad of [`id[]=${A}`, `only[a]=${A}`, `only[][x]=${A}`, `id[toString]=${A}`])
    isRefused(await ask(`${url}/query?${bad}`), "TYPE", bad);
  // Above a limit, `qs` turns an array into an object. No IDs may be lost silently.
  const many = await ask(`${url}/query?${BUSY.map((id) => `only=${id}`).join("&")}`);
  if (many.status === 200) assert.deepEqual(JSON.parse(many.text), { only: BUSY });
  else isRefused(many, "TYPE", "many");
});
