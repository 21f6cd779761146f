/** The page's Fastify programs. */
import assert from "node:assert/strict";
import { parse } from "node:querystring";
import { describe, test } from "node:test";
import fastify, { type FastifyInstance } from "fastify";
import { nanoflake } from "graupel";
import { jsonSchema, list, optional, shape } from "graupel/schema";
import { importFrom } from "../support/guide.ts";
import { pluck } from "../support/rows.ts";
import {
  A,
  answersAsThePage,
  ask,
  B,
  BUSY,
  type Listening,
  orders,
  PAGE,
  postJson,
  WRONG_JSON,
} from "./requests.ts";

interface Page {
  readonly app: FastifyInstance;
}

async function start(app: FastifyInstance): Promise<Listening> {
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return { url, stop: () => app.close() };
}

describe("the page's program", () => {
  answersAsThePage(async () => {
    const { app } = await importFrom<Page>(PAGE, "fastify");
    app.get("/header", { schema: { headers: shape({ "x-order": orders }) } }, ({ headers }) => ({
      "x-order": headers["x-order"],
    }));
    app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_, body, done) =>
      done(null, parse(body as string)),
    );
    const body = shape({ id: orders, only: optional(list(orders)) });
    app.post("/form", { schema: { body } }, (request) => request.body);
    return await start(app);
  });
});

describe("JSON Schemas", () => {
  /** The responses to each invalid value in a body. */
  async function answersTo(app: FastifyInstance, jsons: readonly string[]) {
    const { url, stop } = await start(app);
    try {
      return await Promise.all(jsons.map((json) => postJson(`${url}/orders`, `{"id":${json}}`)));
    } finally {
      await stop();
    }
  }

  test("the page's program", async () => {
    const load = async () => (await importFrom<Page>(PAGE, "fastify-json-schema")).app;
    const texts = BUSY.map((id) => JSON.stringify(id));
    for (const [i, { status, text }] of (await answersTo(await load(), texts)).entries())
      assert.deepEqual([status, text], [200, `{"id":${texts[i]}}`]);
    const wrong = await answersTo(await load(), pluck(WRONG_JSON, "0") as string[]);
    assert.equal(wrong.length, WRONG_JSON.length);
    for (const { status, text } of wrong) {
      assert.equal(status, 400, text);
      assert.match(text, /\[[A-Z_]+\]/);
    }
  });

  test("the page's program leaves data that are no IDs to Fastify", async (t) => {
    const { app } = await importFrom<Page>(PAGE, "fastify-json-schema");
    const querystring = { type: "object", properties: { limit: { type: "integer" } } };
    app.get("/orders", { schema: { querystring } }, ({ query }) => query);
    const { url, stop } = await start(app);
    t.after(stop);
    assert.equal((await ask(`${url}/orders?limit=10`)).text, '{"limit":10}');
  });

  test("with coercion, which is Fastify's default, a rounded ID passes", async () => {
    const app = fastify();
    const body = { type: "object", properties: { id: jsonSchema(orders) } };
    app.post("/orders", { schema: { body } }, (request) => request.body);
    const [answer] = await answersTo(app, [A]);
    assert.deepEqual(answer, { status: 200, text: JSON.stringify({ id: String(Number(A)) }) });
    assert.notEqual(String(Number(A)), A);
  });

  test("parameters, queries and headers: texts, with or without coercion", async (t) => {
    const id = jsonSchema(orders);
    for (const coerceTypes of ["array", false] as const) {
      const app = fastify({ ajv: { customOptions: { coerceTypes, allowUnionTypes: true } } });
      const only = { anyOf: [id, { type: "array", items: id }] };
      const object = (properties: object, required: string[] = []) => ({
        type: "object",
        properties,
        required,
      });
      const querystring = object({ only });
      const schema = { params: object({ id }, ["id"]), querystring, headers: object({ "X-Order": id }) };
      app.get("/orders/:id", { schema }, ({ params, query }) => Object.assign({}, params, query));
      const { url, stop } = await start(app);
      t.after(stop);
      const answer = async (query: string) => JSON.parse((await ask(`${url}/orders/${A}?${query}`)).text);
      assert.deepEqual(await answer(`only=${B}`), { id: A, only: B });
      assert.deepEqual(await answer(`only=${A}&only=${B}`), { id: A, only: [A, B] });
      for (const path of [`0${A}`, "%2017", `${A}?only=`, `${A}?only=1&only=x`, "9999999999999999999"]) {
        assert.equal((await ask(`${url}/orders/${path}`)).status, 400, path);
      }
      assert.equal((await ask(`${url}/orders/${A}`, { headers: { "x-order": "01" } })).status, 400);
    }
  });

  test("a response with a schema: digits of a BigInt, which are another Nanoflake", async (t) => {
    const nano = nanoflake({ epoch: Date.UTC(2024, 0, 1) });
    const flake = nano.generator({ generatorId: 7, clock: () => Date.UTC(2025, 5, 1) }).next();
    const app = fastify();
    const properties = { order: jsonSchema(orders), flake: jsonSchema(nano), text: jsonSchema(nano) };
    const schema = { response: { 200: { type: "object", properties } } };
    app.get("/", { schema }, () => ({ order: orders.parse(A), flake, text: nano.format(flake) }));
    const { url, stop } = await start(app);
    t.after(stop);
    const answer = JSON.parse((await ask(url)).text);
    assert.deepEqual(answer, { order: A, flake: String(flake), text: nano.format(flake) });
    assert.notEqual(answer.flake, answer.text);
  });
});
