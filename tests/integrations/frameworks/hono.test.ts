/** The page's Hono program. */
import assert from "node:assert/strict";
import type { Server } from "node:http";
import { describe, test } from "node:test";
import { createAdaptorServer } from "@hono/node-server";
import { sValidator } from "@hono/standard-validator";
import { shape } from "graupel/schema";
import type { Context, Hono } from "hono";
import { importFrom } from "../support/guide.ts";
import { A, answersAsThePage, ask, isRefused, listening, orders, PAGE } from "./requests.ts";

type Result = { readonly success: boolean; readonly error?: unknown };
interface Page {
  readonly app: Hono;
  reject(result: Result, c: Context): Response | undefined;
}

const load = () => importFrom<Page>(PAGE, "hono");
const serve = (app: Hono) => listening(createAdaptorServer(app) as Server);

describe("the page's program", () => {
  answersAsThePage(async () => serve((await load()).app));

  test("headers, forms and cookies; the page's own response does not repeat a header", async (t) => {
    const { app, reject } = await load();
    const order = shape({ order: orders.text });
    app.get("/header", sValidator("header", order, reject), (c) => c.json(c.req.valid("header")));
    app.post("/form", sValidator("form", order, reject), (c) => c.json(c.req.valid("form")));
    app.get("/cookie", sValidator("cookie", order, reject), (c) => c.json(c.req.valid("cookie")));
    const { url, stop } = await serve(app);
    t.after(stop);
    const send = (order: string) => [
      ask(`${url}/header`, { headers: { order, secret: "key" } }),
      ask(`${url}/form`, { method: "POST", body: new URLSearchParams({ order }) }),
      ask(`${url}/cookie`, { headers: { cookie: `order=${order}` } }),
    ];
    for (const answer of send(A)) assert.deepEqual(JSON.parse((await answer).text), { order: A });
    for (const answer of send("01")) {
      isRefused(await answer, "NOT_CANONICAL", "01");
      assert.doesNotMatch((await answer).text, /key/);
    }
  });
});
