/** The page's tRPC program, called through requests and through its client. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { describe, test } from "node:test";
import { createTRPCClient, httpBatchLink, httpLink, TRPCClientError } from "@trpc/client";
import { type AnyRouter, initTRPC } from "@trpc/server";
import { createHTTPHandler } from "@trpc/server/adapters/standalone";
import { shape } from "graupel/schema";
import { importFrom } from "../support/guide.ts";
import { pluck } from "../support/rows.ts";
import { serverOf } from "../support/servers.ts";
import {
  A,
  ask,
  B,
  BUSY,
  isRefused,
  listening,
  orders,
  PAGE,
  postJson,
  WRONG_JSON,
  WRONG_TEXTS,
} from "./requests.ts";

const serve = (router: AnyRouter) => listening(createServer(createHTTPHandler({ router })));

/** The types of the page's program for the client, because the program is JavaScript. */
const { procedure, router: routerOf } = initTRPC.create();
const sample = routerOf({
  one: procedure.input(orders.text).query(({ input }) => ({ id: input })),
  some: procedure.input(shape({ only: orders.text })).query(({ input }) => [input.only]),
});

describe("the page's program", () => {
  const server = serverOf(async () =>
    serve((await importFrom<{ readonly router: AnyRouter }>(PAGE, "trpc")).router),
  );

  const query = (name: string, json: string) =>
    ask(`${server.url}/${name}?input=${encodeURIComponent(json)}`);
  const dataOf = (answer: { readonly status: number; readonly text: string }) => {
    assert.equal(answer.status, 200, answer.text);
    return JSON.parse(answer.text).result.data;
  };

  test("right IDs come back to the last digit", async () => {
    for (const [i, id] of BUSY.entries()) {
      const other = BUSY.at(i - 1) as string;
      assert.deepEqual(dataOf(await query("one", `"${id}"`)), { id });
      assert.deepEqual(dataOf(await query("some", `{"only":["${id}","${other}"]}`)), [id, other]);
      assert.deepEqual(dataOf(await query("some", `{"only":"${id}","__proto__":{"only":1}}`)), [id]);
      const note = { id, note: "a" };
      assert.deepEqual(dataOf(await postJson(`${server.url}/write`, JSON.stringify(note))), note);
    }
  });

  for (const [json, code] of WRONG_JSON) {
    test(`wrong: ${json.slice(0, 30)}`, async () => {
      isRefused(await query("one", json), code, "an ID");
      // A single value is treated as a list with one item, and a list may be empty.
      if (!json.startsWith("[")) isRefused(await query("some", `{"only":${json}}`), code, "one of a list");
      isRefused(await query("some", `{"only":["${A}",${json}]}`), code, "in a list");
      const { status, text } = await postJson(`${server.url}/write`, `{"id":${json},"note":"a"}`);
      assert.equal(status, 400, text);
      assert.match(text, json.startsWith('"') ? new RegExp(`\\[${code}\\]`) : /invalid_type/);
    });
  }

  test("no input, and what is no JSON", async () => {
    isRefused(await ask(`${server.url}/one`), "TYPE", "one");
    isRefused(await ask(`${server.url}/some`), "TYPE", "some");
    for (const json of ["", "{", "undefined", "NaN"])
      assert.equal((await query("one", json)).status, 400, json);
    for (const body of ["", "{", "null", "[]"]) {
      assert.equal((await postJson(`${server.url}/write`, body)).status, 400, body);
    }
  });

  test("batches: each call has an answer of its own", async () => {
    const inputs = [A, ...WRONG_TEXTS.map(([text]) => text), B];
    const input = encodeURIComponent(JSON.stringify({ ...inputs }));
    const path = inputs.map(() => "one").join(",");
    const { status, text } = await ask(`${server.url}/${path}?batch=1&input=${input}`);
    assert.equal(status, 207);
    const [first, ...others] = JSON.parse(text);
    assert.deepEqual(first.result.data, { id: A });
    assert.deepEqual(others.pop().result.data, { id: B });
    for (const [i, [wrong, code]] of WRONG_TEXTS.entries()) {
      const { error } = others[i];
      assert.equal(error.data.httpStatus, 400, wrong);
      assert.ok(error.message.endsWith(`[${code}]`), wrong);
    }
  });

  for (const [name, link] of [["httpLink", httpLink] as const, ["httpBatchLink", httpBatchLink] as const]) {
    test(`the client, with ${name}`, async () => {
      const { one, some } = createTRPCClient<typeof sample>({ links: [link({ url: server.url })] });
      const found = await Promise.all(BUSY.map((id) => one.query(id)));
      assert.deepEqual(pluck(found), BUSY);
      const texts: string[] = await some.query({ only: A });
      assert.deepEqual(texts, [A]);
      const [right, wrong] = await Promise.allSettled([one.query(A), one.query("01")]);
      assert.equal(right.status, "fulfilled");
      assert.ok(wrong.status === "rejected" && wrong.reason instanceof TRPCClientError);
      assert.match(wrong.reason.message, /\[NOT_CANONICAL\]$/);
      assert.equal(wrong.reason.data.httpStatus, 400);
      // Its types reject a BigInt, because a request cannot contain one.
      // @ts-expect-error: a BigInt
      await assert.rejects(one.query(BigInt(A)), /serialize a BigInt/);
    });
  }
});
