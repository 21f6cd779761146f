/** The page's Hono program. */
import assert from "node:assert/strict";
import type { Server } from "node:http";
import { describe, test } from "node:test";
import { createAdaptorServer } from "@hono/node-server";
import { sValidator } from "@hono/standard-validator";
import { list, optional, shape } from "graupel/schema";
import { codec } from "graupel/zod";
import type { Context, Hono } from "hono";
import { z } from "zod";
import { importFrom } from "../support/guide.ts";
import {
  A,
  answersAsThePage,
  ask,
  B,
  isRefused,
  listening,
  orders,
  PAGE,
  postJson,
  WRONG_TEXTS,
} from "./requests.ts";

type Result = { readonly success: boolean; readonly error?: unknown };
interface Page {
  readonly app: Hono;
  reject(result: Result, c: Context): Response | undefined;
}

const load = () => importFrom<Page>(PAGE, "hono");
const serve = (app: Hono) => listening(createAdaptorServer(app) as Server);

describe("the page's program", () => {
  answersAsThePage(async () => {
    const { app, reject } = await load();
    const form = shape({ id: orders.text, only: optional(list(orders.text)) });
    app.get("/header", sValidator("header", shape({ "x-order": orders.text }), reject), (c) =>
      c.json(c.req.valid("header")),
    );
    app.post("/form", sValidator("form", form), (c) => c.json(c.req.valid("form")));
    return await serve(app);
  });
});

describe("beyond the page", () => {
  test("the page's own answer repeats no header", async (t) => {
    const { app, reject } = await load();
    const header = shape({ "x-order": orders });
    app.get("/kept", sValidator("header", header, reject), (c) => c.text(""));
    app.get("/repeated", sValidator("header", header), (c) => c.text(""));
    const { url, stop } = await serve(app);
    t.after(stop);
    const headers = { "x-order": "01", cookie: "key=secret" };
    const kept = await ask(`${url}/kept`, { headers });
    isRefused(kept, "NOT_CANONICAL", "header");
    assert.doesNotMatch(kept.text, /secret/);
    assert.match((await ask(`${url}/repeated`, { headers })).text, /secret/);
  });

  test("multipart forms, with files and repeated fields; cookies", async (t) => {
    const { app, reject } = await load();
    const form = shape({ id: orders.text, only: optional(list(orders.text)) });
    app.post("/multipart", sValidator("form", form), (c) => c.json(c.req.valid("form")));
    app.get("/cookie", sValidator("cookie", shape({ order: orders.text }), reject), (c) =>
      c.json(c.req.valid("cookie")),
    );
    const { url, stop } = await serve(app);
    const post = (...fields: [string, string | Blob][]) => {
      const body = new FormData();
      for (const [name, value] of fields) body.append(name, value as string);
      return ask(`${url}/multipart`, { method: "POST", body });
    };
    const send = (id: string | Blob, ...only: string[]) =>
      post(["id", id], ...only.map((one) => ["only", one] as [string, string]));
    t.after(stop);
    for (const only of [[A, B], [B]])
      assert.deepEqual(JSON.parse((await send(A, ...only)).text), { id: A, only });
    isRefused(await send(new Blob([A])), "TYPE", "a file");
    isRefused(await send(""), "LENGTH", "empty");
    isRefused(await post(["__proto__", A]), "TYPE", "a prototype's key");
    for (const [text, code] of WRONG_TEXTS) isRefused(await send(text), code, text);
    const headers = { cookie: `order=${A}` };
    assert.deepEqual(JSON.parse((await ask(`${url}/cookie`, { headers })).text), { order: A });
    isRefused(await ask(`${url}/cookie`, { headers: { cookie: "order=01" } }), "NOT_CANONICAL", "cookie");
    isRefused(await ask(`${url}/cookie`), "TYPE", "no cookie");
  });

  test("codecs of Zod: the same answers, and its own `encode` for the response", async (t) => {
    const { app } = await load();
    const note = z.object({ id: codec(orders), only: z.array(codec(orders)).optional() });
    app.post("/zod", sValidator("json", note), (c) => c.json(z.encode(note, c.req.valid("json"))));
    app.get("/zod/:id", sValidator("param", note), (c) => c.json(z.encode(note, c.req.valid("param"))));
    const { url, stop } = await serve(app);
    t.after(stop);
    const body = JSON.stringify({ id: A, only: [B, A] });
    assert.deepEqual(await postJson(`${url}/zod`, body), { status: 200, text: body });
    assert.equal((await ask(`${url}/zod/${A}`)).text, JSON.stringify({ id: A }));
    for (const [text, code] of WRONG_TEXTS) {
      isRefused(await postJson(`${url}/zod`, JSON.stringify({ id: text })), code, text);
      isRefused(await ask(`${url}/zod/${encodeURIComponent(text)}`), code, text);
    }
    const rounded = await postJson(`${url}/zod`, `{"id":${A}}`);
    assert.equal(rounded.status, 400);
    assert.match(rounded.text, /invalid_type/);
    // A Zod schema cannot contain a bare format.
    assert.throws(() => z.object({ id: orders as never }).parse({ id: A }));
  });
});
