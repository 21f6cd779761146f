/** The page's GraphQL Yoga program, called over HTTP. */
import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import { describe, test } from "node:test";
import { importFrom } from "../support/guide.ts";
import { serverOf } from "../support/servers.ts";
import { A, ask, BUSY, listening, PAGE, WRONG_JSON } from "./requests.ts";

/** The media types that clients accept: the GraphQL over HTTP type, and the older one. */
const TYPES = ["application/graphql-response+json", "application/json"];

const BY_VARIABLE = "query ($id: OrderID!) { order(id: $id) { id } }";
const LIST = "query ($only: [OrderID!]!) { orders(only: $only) { id } }";

/** Sends a request. `variables`: as JSON text, so that its numbers keep all digits. */
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

/** Checks for a client error with this code. */
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

/** Converts a JSON value to a GraphQL literal. */
const literalOf = (json: string) => json.replace(/"(\w+)":/g, "$1: ");

interface Page {
  readonly yoga: RequestListener;
}

describe("the page's program", () => {
  const server = serverOf(async () => {
    const { yoga } = await importFrom<Page>(PAGE, "yoga");
    const { url, stop } = await listening(createServer(yoga));
    return { url: `${url}/graphql`, stop };
  });

  test("right IDs come back to the last digit: variables, texts, integers, in a GET, in lists", async () => {
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
      // An integer in a query is exact. For a lone surrogate, an object with this key and null,
      // GraphQL throws its own errors.
      if (/^("\\ud800"|null|17|\d{18}|-1)$/.test(json)) return;
      for (const [accept, status] of [
        [TYPES[0], 400],
        [TYPES[1], 200],
      ] as const) {
        const query = `{ order(id: ${literalOf(json)}) { id } }`;
        // Yoga reuses a query's errors for the next request.
        for (const turn of ["first", "second"]) {
          hasCode(await send(server.url, query, "{}", accept), code, `literal, ${accept}, ${turn}`, status);
        }
      }
    });
  }
});
