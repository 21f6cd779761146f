/** The page's GraphQL Yoga program, called over HTTP. */
import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import { describe, test } from "node:test";
import { importFrom } from "../support/guide.ts";
import { serverOf } from "../support/servers.ts";
import { A, ask, BUSY, listening, PAGE, WRONG_TEXTS } from "./requests.ts";

/** The media types that clients accept: the GraphQL over HTTP type, and the older one. */
const TYPES = ["application/graphql-response+json", "application/json"];

const BY_VARIABLE = "query ($id: OrderID!) { order(id: $id) { id } }";
const LIST = "query ($only: [OrderID!]!) { orders(only: $only) { id } }";

/** Sends a request. `variables`: as JSON text, so that its numbers keep all digits. */
function send(url: string, query: string, variables = "{}", accept = TYPES[0] as string) {
  const body = `{"query":${JSON.stringify(query)},"variables":${variables}}`;
  return ask(url, { method: "POST", headers: { "content-type": "application/json", accept }, body });
}
const dataOf = ({ status, text }: Awaited<ReturnType<typeof ask>>) => {
  assert.equal(status, 200, text);
  const { data, errors } = JSON.parse(text);
  assert.equal(errors, undefined, text);
  return data;
};

interface Page {
  readonly yoga: RequestListener;
}

describe("the page's program", () => {
  const server = serverOf(async () => {
    const { yoga } = await importFrom<Page>(PAGE, "yoga");
    const { url, stop } = await listening(createServer(yoga));
    return { url: `${url}/graphql`, stop };
  });

  test("valid IDs are returned to the last digit: variables, literals, GET requests, lists", async () => {
    for (const [i, id] of BUSY.entries()) {
      const variables = encodeURIComponent(`{"id":"${id}"}`);
      for (const answer of [
        send(server.url, BY_VARIABLE, `{"id":"${id}"}`),
        send(server.url, `{ order(id: "${id}") { id } }`),
        send(server.url, `{ order(id: ${id}) { id } }`),
        ask(`${server.url}?query=${encodeURIComponent(BY_VARIABLE)}&variables=${variables}`),
      ])
        assert.deepEqual(dataOf(await answer), { order: { id } });
      const other = BUSY.at(i - 1) as string;
      const both = { orders: [{ id }, { id: other }] };
      assert.deepEqual(dataOf(await send(server.url, LIST, `{"only":["${id}","${other}"]}`)), both);
    }
    assert.deepEqual(dataOf(await send(server.url, LIST, `{"only":"${A}"}`)), { orders: [{ id: A }] });
  });

  test("invalid IDs are the client's error with the code", async () => {
    for (const [id, code] of WRONG_TEXTS) {
      const text = JSON.stringify(id);
      for (const accept of TYPES) {
        // GraphQL over HTTP requires 200 for an error in a literal with the older media type.
        const ofLiteral = accept === TYPES[0] ? 400 : 200;
        for (const [query, variables, wanted] of [
          [BY_VARIABLE, `{"id":${text}}`, 400],
          [LIST, `{"only":["${A}",${text}]}`, 400],
          [`{ order(id: ${text}) { id } }`, "{}", ofLiteral],
          // Yoga reuses a query's errors for the next request.
          [`{ order(id: ${text}) { id } }`, "{}", ofLiteral],
        ] as const) {
          const answer = await send(server.url, query, variables, accept);
          assert.equal(answer.status, wanted, `${query}: ${answer.text}`);
          const { data, errors } = JSON.parse(answer.text);
          assert.equal(data, undefined, query);
          assert.deepEqual(errors[0].extensions, { code }, `${query}: ${answer.text}`);
        }
      }
    }
  });
});
