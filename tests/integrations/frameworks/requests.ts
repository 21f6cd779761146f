/** Shared by the tests of frameworks: valid and invalid IDs, and requests. */
import assert from "node:assert/strict";
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { orders } from "../support/rows.ts";

export const PAGE = "requests.md";

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

export const sent = (body: string, type: string): RequestInit => ({
  method: "POST",
  headers: { "content-type": type },
  body,
});
export const postJson = (url: string, body: string) => ask(url, sent(body, "application/json"));

export function isRefused({ status, text }: Answer, code: string, what: string): void {
  assert.equal(status, 400, `${what}: ${text}`);
  assert.ok(text.includes(`[${code}]`), `${what}: ${text}`);
}
