/** The page's Fastify programs. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fastify, { type FastifyInstance } from "fastify";
import { jsonSchema } from "graupel/schema";
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
    // Fastify still converts values that are not IDs.
    const app = await load();
    const querystring = { type: "object", properties: { limit: { type: "integer" } } };
    app.get("/limited", { schema: { querystring } }, ({ query }) => query);
    const answer = await app.inject("/limited?limit=10");
    assert.equal(answer.payload, '{"limit":10}');
  });

  test("parameters, queries and headers are texts, with or without coercion", async (t) => {
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
});
