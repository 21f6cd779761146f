/** The page's tRPC program, called through requests and through its client. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { describe, test } from "node:test";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { type AnyRouter, initTRPC } from "@trpc/server";
import { createHTTPHandler } from "@trpc/server/adapters/standalone";
import { shape } from "graupel/schema";
import { importFrom } from "../support/guide.ts";
import { orders, pluck } from "../support/rows.ts";
import { serverOf } from "../support/servers.ts";
import { A, ask, BUSY, isRefused, listening, PAGE, postJson, WRONG_JSON } from "./requests.ts";

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

  test("valid IDs are returned to the last digit", async () => {
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
    test(`invalid: ${json.slice(0, 30)}`, async () => {
      isRefused(await query("one", json), code, "an ID");
      // A single value is treated as a list with one item, and a list may be empty.
      if (!json.startsWith("[")) isRefused(await query("some", `{"only":${json}}`), code, "one of a list");
      isRefused(await query("some", `{"only":["${A}",${json}]}`), code, "in a list");
      const { status, text } = await postJson(`${server.url}/write`, `{"id":${json},"note":"a"}`);
      assert.equal(status, 400, text);
      assert.match(text, json.startsWith('"') ? new RegExp(`\\[${code}\\]`) : /invalid_type/);
    });
  }

  test("its client gets the IDs and the error", async () => {
    const { one, some } = createTRPCClient<typeof sample>({ links: [httpBatchLink({ url: server.url })] });
    const found = await Promise.all(BUSY.map((id) => one.query(id)));
    assert.deepEqual(pluck(found), BUSY);
    const texts: string[] = await some.query({ only: A });
    assert.deepEqual(texts, [A]);
    await assert.rejects(one.query("01"), { name: "TRPCClientError", message: /\[NOT_CANONICAL\]$/ });
    // Its types reject a BigInt, because a request cannot contain one.
    // @ts-expect-error: a BigInt
    await assert.rejects(one.query(BigInt(A)), /serialize a BigInt/);
  });
});
