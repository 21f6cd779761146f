/** The page's program for GraphQL Yoga, asked over HTTP. */
import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import { describe, test } from "node:test";
import { GraphQLNonNull, GraphQLObjectType, GraphQLSchema } from "graphql";
import { createYoga } from "graphql-yoga";
import { scalar } from "graupel/graphql";
import { importFrom } from "../support/guide.ts";
import { serverOf } from "../support/servers.ts";
import { A, ask, B, BUSY, type Listening, listening, orders, PAGE, WRONG_JSON } from "./requests.ts";

/** What clients accept: of GraphQL over HTTP, and of before. */
const TYPES = ["application/graphql-response+json", "application/json"];

const BY_VARIABLE = "query ($id: OrderID!) { order(id: $id) { id } }";
const LIST = "query ($only: [OrderID!]!) { orders(only: $only) { id } }";

/** A request. `variables`: JSON, as numbers in it must stay as they are. */
function send(url: string, query: string, variables = "{}", accept = TYPES[0] as string) {
  const body = `{"query":${JSON.stringify(query)},"variables":${variables}}`;
  return ask(url, { method: "POST", headers: { "content-type": "application/json", accept }, body });
}
type Sent = Awaited<ReturnType<typeof send>>;

const dataOf = ({ status, text }: Sent) => {
  assert.equal(status, 200, text);
  const { data, errors } = JSON.parse(text);
  assert.equal(errors, undefined, text);
  return data;
};

/** It is an error of the client's with the code. */
function hasCode({ status, text }: Sent, code: string, what: string, wanted = 400): void {
  assert.equal(status, wanted, `${what}: ${text}`);
  const { data, errors } = JSON.parse(text);
  assert.equal(data, undefined, what);
  assert.ok(errors.length > 0, what);
  for (const { message, extensions } of errors) {
    assert.deepEqual(extensions, { code }, `${what}: ${text}`);
    assert.ok(message.endsWith(`[${code}]`), message);
  }
}

/** A literal of GraphQL for a value of JSON. */
const literalOf = (json: string) => json.replace(/"(\w+)":/g, "$1: ");

/** What a server with the page's schema answers. */
function answers(start: () => Promise<Listening>): void {
  const server = serverOf(async () => {
    const { url, stop } = await start();
    return { url: `${url}/graphql`, stop };
  });

  test("right IDs come back to the last digit: variables, texts, integers, in a GET, in lists", async () => {
    for (const [i, id] of BUSY.entries()) {
      const order = { order: { id } };
      assert.deepEqual(dataOf(await send(server.url, BY_VARIABLE, `{"id":"${id}"}`)), order);
      assert.deepEqual(dataOf(await send(server.url, `{ order(id: "${id}") { id } }`)), order);
      assert.deepEqual(dataOf(await send(server.url, `{ order(id: ${id}) { id } }`)), order);
      const variables = encodeURIComponent(`{"id":"${id}"}`);
      assert.deepEqual(
        dataOf(await ask(`${server.url}?query=${encodeURIComponent(BY_VARIABLE)}&variables=${variables}`)),
        order,
      );
      const other = BUSY.at(i - 1) as string;
      const both = { orders: [{ id }, { id: other }] };
      assert.deepEqual(dataOf(await send(server.url, LIST, `{"only":["${id}","${other}"]}`)), both);
      const mixed = `query ($id: OrderID!) { orders(only: [$id, ${other}]) { id } }`;
      assert.deepEqual(dataOf(await send(server.url, mixed, `{"id":"${id}"}`)), both);
    }
    assert.deepEqual(dataOf(await send(server.url, LIST, `{"only":"${A}"}`)), { orders: [{ id: A }] });
  });

  for (const [json, code] of WRONG_JSON) {
    test(`wrong: ${json.slice(0, 30)}`, async () => {
      for (const accept of TYPES) {
        const name = `variable, ${accept}`;
        if (json === "null") {
          // GraphQL's own error.
          assert.equal((await send(server.url, BY_VARIABLE, `{"id":null}`, accept)).status, 400);
        } else {
          hasCode(await send(server.url, BY_VARIABLE, `{"id":${json}}`, accept), code, name);
          const list = json.startsWith("[") ? "[]" : json;
          if (list !== "[]")
            hasCode(await send(server.url, LIST, `{"only":["${A}",${list}]}`, accept), code, name);
        }
      }
      // An integer in a query is exact; a lone surrogate, an object with this key and null are GraphQL's own errors.
      if (/^("\\ud800"|null|17|\d{18}|-1)$/.test(json)) return;
      for (const [accept, status] of [
        [TYPES[0], 400],
        [TYPES[1], 200],
      ] as const) {
        const query = `{ order(id: ${literalOf(json)}) { id } }`;
        // Yoga keeps the errors of a query for its next request.
        for (const turn of ["first", "second"]) {
          hasCode(await send(server.url, query, "{}", accept), code, `literal, ${accept}, ${turn}`, status);
        }
      }
    });
  }

  test("integers that are no IDs, and defaults of variables", async () => {
    hasCode(await send(server.url, "{ order(id: -1) { id } }"), "CHARACTER", "negative");
    hasCode(await send(server.url, "{ order(id: 9223372036854775808) { id } }"), "OVERFLOW", "too large");
    hasCode(
      await send(server.url, 'query ($id: OrderID! = "01") { order(id: $id) { id } }'),
      "NOT_CANONICAL",
      "default",
    );
    for (const query of [
      "query ($id: OrderID!) { order(id: $id) { id } }",
      "{ order { id } }",
      "{ order(id: 01) { id } }",
    ]) {
      const { status, text } = await send(server.url, query);
      assert.equal(status, 400, query);
      assert.doesNotMatch(text, /Unexpected error/, query);
    }
  });

  test("introspection", async () => {
    assert.deepEqual(
      dataOf(await send(server.url, '{ __type(name: "OrderID") { kind name description } }')),
      {
        __type: { kind: "SCALAR", name: "OrderID", description: "An ID of the format snowflake, as text." },
      },
    );
  });
}

interface Page {
  readonly yoga: RequestListener & { getEnveloped(): { schema: GraphQLSchema } };
}

describe("the page's program", () => {
  answers(async () => listening(createServer((await importFrom<Page>(PAGE, "yoga")).yoga)));
});

describe("a schema of GraphQL.js, with batches", () => {
  const type = scalar(orders, "OrderID");
  const order = new GraphQLObjectType({ name: "Order", fields: { id: { type: new GraphQLNonNull(type) } } });
  const query = new GraphQLObjectType({
    name: "Query",
    fields: {
      order: {
        type: order,
        args: { id: { type: new GraphQLNonNull(type) } },
        resolve: (_, { id }) => {
          assert.equal(typeof id, "bigint");
          return { id };
        },
      },
      wrong: { type, resolve: () => -1n },
    },
  });
  const yoga = createYoga({ schema: new GraphQLSchema({ query }), batching: true, logging: false });
  const server = serverOf(() => listening(createServer(yoga)));

  test("each request of a batch has an answer of its own", async () => {
    const requests = [`"${A}"`, '"01"', A, `"${B}"`].map(
      (json) => `{"query":${JSON.stringify(BY_VARIABLE)},"variables":{"id":${json}}}`,
    );
    const { status, text } = await ask(`${server.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: `[${requests}]`,
    });
    assert.equal(status, 200);
    const [first, second, third, last] = JSON.parse(text);
    assert.deepEqual([first, last], [{ data: { order: { id: A } } }, { data: { order: { id: B } } }]);
    assert.equal(second.errors[0].extensions.code, "NOT_CANONICAL");
    assert.equal(third.errors[0].extensions.code, "TYPE");
  });

  test("a resolver that gives no ID is the server's own error, and is masked", async () => {
    const { errors, data } = JSON.parse((await send(`${server.url}/graphql`, "{ wrong }")).text);
    assert.deepEqual(data, { wrong: null });
    assert.equal(errors[0].extensions.code, "INTERNAL_SERVER_ERROR");
  });
});
