/**
 * Shared by the framework tests: valid and invalid IDs, and the expectations for the REST programs
 * of the requests page.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import { snowflake } from "graupel";
import { root } from "../../js/support/places.ts";
import { importFrom } from "../support/guide.ts";
import { serverOf } from "../support/servers.ts";

export const PAGE = "requests.md";

/** The page's format. A module of the page declares its own copy. */
export const orders = snowflake({
  epoch: Date.UTC(2024, 0, 1),
  fields: { time: 41, worker: 10, sequence: 12 },
});

/** IDs from a busy millisecond as texts. Rounding changes each of them. */
export const BUSY = orders
  .generator({ worker: 700, clock: () => Date.UTC(2025, 5, 1) })
  .nextMany(50)
  .filter((id) => BigInt(Number(id)) !== id)
  .map((id) => orders.format(id));
export const [A, B] = BUSY as [string, string];

/** Texts that are not IDs, and their error codes. */
export const WRONG_TEXTS = [
  [`0${B.slice(1)}`, "NOT_CANONICAL"],
  [` ${B.slice(1)}`, "CHARACTER"],
  [`${B.slice(1)} `, "CHARACTER"],
  [`+${B.slice(1)}`, "CHARACTER"],
  ["-1", "CHARACTER"],
  ["1e18", "CHARACTER"],
  ["1,2", "CHARACTER"],
  ["0x1F", "CHARACTER"],
  ["undefined", "CHARACTER"],
  ["null", "CHARACTER"],
  ["[object Object]", "CHARACTER"],
  ["__proto__", "CHARACTER"],
  ["9223372036854775808", "OVERFLOW"],
  [`${A}00`, "LENGTH"],
  ["7".repeat(90), "LENGTH"],
] as const;

/** JSON values in place of an ID, and their error codes. `JSON.parse` rounds the numbers. */
export const WRONG_JSON: readonly (readonly [json: string, code: string])[] = [
  ...WRONG_TEXTS.map(([text, code]) => [JSON.stringify(text), code] as const),
  ['""', "LENGTH"],
  ['"\\ud800"', "CHARACTER"],
  ...[A, "17", "1e400", "-1", "null", "true", `["${A}"]`, "[]", "{}", `{"toString":"${A}"}`].map(
    (json) => [json, "TYPE"] as const,
  ),
];

/** A running program of the page. */
export interface Listening {
  readonly url: string;
  stop(): Promise<unknown>;
}

export async function listening(server: Server): Promise<Listening> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close().closeAllConnections();
      await once(server, "close");
    },
  };
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A server that never answers is also a failure. */
const PATIENCE_MS = 30_000;

export async function ask(url: string, options: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS), ...options });
  return { status: response.status, text: await response.text() };
}

const sent = (body: string, type: string): RequestInit => ({
  method: "POST",
  headers: { "content-type": type },
  body,
});
export const postJson = (url: string, body: string) => ask(url, sent(body, "application/json"));

export function isRefused({ status, text }: Answer, code: string, what: string): void {
  assert.equal(status, 400, `${what}: ${text}`);
  assert.ok(text.includes(`[${code}]`), `${what}: ${text}`);
}

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

/** Tests the responses of a REST program of the page. */
export function answersAsThePage(start: () => Promise<Listening>): void {
  const server = serverOf(start);
  const get = (path: string) => ask(server.url + path);
  const post = (body: string) => postJson(`${server.url}/orders`, body);

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

    test("other keys are left out", async () => {
      const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "utm"];
      for (const name of names) {
        has(await get(`/orders/${A}?${name}=x&${name}=y`), { id: A }, name);
        has(await get(`/orders/${A}?${name}[after]=x`), { id: A }, name);
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
