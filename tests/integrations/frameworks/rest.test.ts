/** The page's REST programs, with Express, Fastify, Hono and NestJS. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { join } from "node:path";
import { describe, test } from "node:test";
import { createAdaptorServer } from "@hono/node-server";
import { sValidator } from "@hono/standard-validator";
import type { INestApplication } from "@nestjs/common";
import type { FastifyInstance } from "fastify";
import { shape } from "graupel/schema";
import { sealed } from "graupel/sealed";
import type { Context, Hono } from "hono";
import { root } from "../../js/support/places.ts";
import { compiles, importFrom } from "../support/guide.ts";
import { orders, pluck } from "../support/rows.ts";
import { serverOf } from "../support/servers.ts";
import {
  A,
  type Answer,
  ask,
  B,
  BUSY,
  isRefused,
  type Listening,
  listening,
  PAGE,
  postJson,
  sent,
  WRONG_JSON,
  WRONG_TEXTS,
} from "./requests.ts";

interface ExpressPage {
  readonly app: RequestListener & { set(name: string, value: unknown): void };
}
interface HonoPage {
  readonly app: Hono;
  reject(result: { readonly success: boolean; readonly error?: unknown }, c: Context): Response | undefined;
}
const loadHono = () => importFrom<HonoPage>(PAGE, "hono");

async function listeningFastify(app: FastifyInstance): Promise<Listening> {
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return { url, stop: () => app.close() };
}

async function listeningNest(app: INestApplication): Promise<Listening> {
  app.useLogger(false);
  await app.listen(0, "127.0.0.1");
  return { url: await app.getUrl(), stop: () => app.close() };
}

/** Starts each program of the page. */
const PROGRAMS: Readonly<Record<string, () => Promise<Listening>>> = {
  async Express() {
    const { app } = await importFrom<ExpressPage>(PAGE, "express");
    // Disables the error log.
    app.set("env", "test");
    return await listening(createServer(app));
  },
  Fastify: async () =>
    listeningFastify((await importFrom<{ readonly app: FastifyInstance }>(PAGE, "fastify")).app),
  Hono: async () => listening(createAdaptorServer((await loadHono()).app) as Server),
  NestJS: async () => listeningNest((await importFrom<{ readonly app: INestApplication }>(PAGE, "nest")).app),
};

/** Checks that a request succeeded and that its response contains this value. */
function has({ status, text }: Answer, wanted: unknown, what: string): void {
  assert.ok(status === 200 || status === 201, `${what}: ${status} ${text}`);
  assert.deepEqual(JSON.parse(text), wanted, what);
}

/** The rows of the page's table of invalid requests. */
function rows(): { readonly method: string; readonly path: string; readonly body: string; code: string }[] {
  const page = readFileSync(join(root, "www", "docs", PAGE), "utf8");
  const found = page.matchAll(/^\| `(GET|POST) (\S+)` \| (?:`(.+?)`)? ?\| 400, `([A-Z_]+)`/gm);
  return [...found].map(([, method = "", path = "", body = "", code = ""]) => ({ method, path, body, code }));
}

for (const [name, start] of Object.entries(PROGRAMS)) describe(name, () => answersAsThePage(start));

/** Tests the responses of a REST program of the page. */
function answersAsThePage(start: () => Promise<Listening>): void {
  const server = serverOf(start);
  const get = (path: string) => ask(server.url + path);
  const post = (body: string) => postJson(`${server.url}/orders`, body);

  describe("valid IDs are returned to the last digit", () => {
    test("in parameters and queries, once and repeated", async () => {
      for (const [i, id] of BUSY.entries()) {
        const other = BUSY.at(i - 1) as string;
        has(await get(`/orders/${id}`), { id }, id);
        has(await get(`/orders/${id}?after=${other}&only=${id}`), { id, after: other, only: [id] }, id);
        has(await get(`/orders/${id}?only=${id}&only=${other}`), { id, only: [id, other] }, id);
      }
      const many = BUSY.slice(0, 30);
      has(await get(`/orders/1?only=${many.join("&only=")}`), { id: "1", only: many }, "many");
    });

    test("in bodies", async () => {
      for (const [i, id] of BUSY.entries()) {
        const parent = BUSY.at(i - 1) as string;
        has(await post(JSON.stringify({ id, parent })), { id, parent }, id);
      }
    });
  });

  describe("invalid IDs get a 400 with the code", () => {
    test("the rows of the page", async () => {
      assert.equal(rows().length, 7);
      for (const { method, path, body, code } of rows()) {
        isRefused(await (method === "GET" ? get(path) : post(body)), code, `${method} ${path} ${body}`);
      }
    });

    for (const [text, code] of WRONG_TEXTS) {
      test(JSON.stringify(text), async () => {
        const encoded = encodeURIComponent(text);
        isRefused(await get(`/orders/${encoded}`), code, "parameter");
        isRefused(await get(`/orders/${A}?after=${encoded}`), code, "query");
        isRefused(await get(`/orders/${A}?only=${encoded}`), code, "query, once");
        isRefused(await get(`/orders/${A}?only=${A}&only=${encoded}`), code, "query, repeated");
      });
    }

    test("empty, missing, repeated", async () => {
      isRefused(await get(`/orders/${A}?after`), "LENGTH", "query without a value");
      isRefused(await get(`/orders/${A}?only=`), "LENGTH", "empty in a list");
      isRefused(await get(`/orders/${A}?after=${A}&after=${A}`), "TYPE", "repeated");
    });

    for (const [json, code] of WRONG_JSON) {
      test(`JSON: ${json.slice(0, 30)}`, async () => {
        isRefused(await post(`{"id":${json}}`), code, "ID");
        isRefused(await post(`{"id":"${A}","parent":${json}}`), code, "optional ID");
      });
    }

    test("bodies that are not objects, and prototype keys", async () => {
      for (const body of ["[]", `["${A}"]`, `{"ID":"${A}"}`, "{}", `{"constructor":{"id":"${A}"}}`]) {
        isRefused(await post(body), "TYPE", body);
      }
      // The body is not JSON, or is rejected before the ID is parsed. The framework returns its own
      // 400.
      for (const body of ["", "{", "null", `"${A}"`, A, `{"__proto__":{"id":"${A}"}}`]) {
        const { status, text } = await post(body);
        assert.equal(status, 400, `${body}: ${text}`);
      }
      isRefused(await ask(`${server.url}/orders`, { method: "POST" }), "TYPE", "no body");
      const text = sent(`{"id":"${A}"}`, "text/plain");
      isRefused(await ask(`${server.url}/orders`, text), "TYPE", "another type");
    });
  });
}

test("the replacer writes IDs as texts, and leaves other values", async () => {
  const { asText } = await importFrom<{ asText(key: string, value: unknown): unknown }>(PAGE, "orders");
  const id = BigInt(A);
  const count = { count: 20000n, huge: 1n << 70n };
  for (const [row, wanted] of [
    [
      { id, only: [id, id], inner: [{ parent: id }] },
      { id: A, only: [A, A], inner: [{ parent: A }] },
    ],
    [count, { count: "20000", huge: `${1n << 70n}` }],
    [
      { balance: -500n, n: 1, t: "x" },
      { balance: "-500", n: 1, t: "x" },
    ],
  ])
    assert.deepEqual(JSON.parse(JSON.stringify(row, asText as never)), wanted);
});

describe("Fastify with JSON Schemas", () => {
  /** The responses to each invalid value in a body. */
  async function answersTo(app: FastifyInstance, jsons: readonly string[]) {
    const { url, stop } = await listeningFastify(app);
    try {
      return await Promise.all(jsons.map((json) => postJson(`${url}/orders`, `{"id":${json}}`)));
    } finally {
      await stop();
    }
  }

  test("the page's program", async () => {
    const load = async () =>
      (await importFrom<{ readonly app: FastifyInstance }>(PAGE, "fastify-json-schema")).app;
    const texts = BUSY.map((id) => JSON.stringify(id));
    for (const [i, { status, text }] of (await answersTo(await load(), texts)).entries())
      assert.deepEqual([status, text], [200, `{"id":${texts[i]}}`]);
    const wrong = await answersTo(await load(), pluck(WRONG_JSON, "0") as string[]);
    assert.equal(wrong.length, WRONG_JSON.length);
    for (const { status, text } of wrong) {
      assert.equal(status, 400, text);
      assert.match(text, /\[[A-Z_]+\]/);
    }
    // Fastify still converts values that are not IDs.
    const app = await load();
    const querystring = { type: "object", properties: { limit: { type: "integer" } } };
    app.get("/limited", { schema: { querystring } }, ({ query }) => query);
    const answer = await app.inject("/limited?limit=10");
    assert.equal(answer.payload, '{"limit":10}');
  });
});

test("Hono: headers, forms and cookies; the page's own response does not repeat a header", async (t) => {
  const { app, reject } = await loadHono();
  const order = shape({ order: orders.text });
  app.get("/header", sValidator("header", order, reject), (c) => c.json(c.req.valid("header")));
  app.post("/form", sValidator("form", order, reject), (c) => c.json(c.req.valid("form")));
  app.get("/cookie", sValidator("cookie", order, reject), (c) => c.json(c.req.valid("cookie")));
  const { url, stop } = await listening(createAdaptorServer(app) as Server);
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

test("NestJS with class-validator: invalid plain, prefixed and sealed IDs get a 400 with the message", async (t) => {
  const { app } = await importFrom<{ readonly app: INestApplication }>(PAGE, "class-validator");
  const { url, stop } = await listeningNest(app);
  t.after(stop);
  const coupon = sealed(orders, new Uint8Array(32).fill(7)).seal(BigInt(A));
  const order = { parent: A, customer: `cus_${B}`, coupon, items: [A, B] };
  const post = (change: object) => postJson(`${url}/orders`, JSON.stringify({ ...order, ...change }));
  assert.deepEqual(await post({}), { status: 201, text: JSON.stringify(order) });
  for (const [change, code] of [
    [{ parent: "01" }, "NOT_CANONICAL"],
    [{ parent: Number(A) }, "TYPE"],
    [{ parent: undefined }, "TYPE"],
    [{ parent: [A] }, "TYPE"],
    [{ customer: A }, "CHARACTER"],
    [{ customer: `cus_0${B}` }, "NOT_CANONICAL"],
    [{ coupon: `${coupon}0` }, "LENGTH"],
    [{ coupon: 5 }, "TYPE"],
    [{ items: [A, "9223372036854775808"] }, "OVERFLOW"],
  ] as const) {
    const answer = await post(change);
    isRefused(answer, code, JSON.stringify(change));
    const [problem, ...others] = JSON.parse(answer.text).message;
    assert.match(problem, new RegExp(`^${Object.keys(change)[0]}: .* \\[${code}\\]$`));
    assert.deepEqual(others, []);
  }
  assert.equal((await post({ items: A })).status, 400);
});

test("NestJS: the programs' types compile", () =>
  compiles(PAGE, ["nest.mts", "class-validator.mts"], {
    ...{ noImplicitAny: false, experimentalDecorators: true, emitDecoratorMetadata: true },
    // The programs share a JavaScript module.
    types: ["node"],
  }));
