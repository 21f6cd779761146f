// A store whose clock was far ahead. With KIND "ahead", it still is. With "alive", a number was
// leased since then. With "plain", "table" or "prefix", the store cannot forget.
import { snowflake } from "graupel";
import { memory } from "graupel/lease";

const { KIND = "" } = process.env;
export const namespace = "orders";
export const format = snowflake({ epoch: 0, fields: { time: 50, worker: 4, sequence: 9 } });
export const ttlMs = 10_000;

const FAR_MS = 366 * 86_400_000;
let ahead = 0;
const store = memory({ clock: () => Date.now() + ahead });
const PLACES = { plain: {}, table: { table: "ids.numbers" }, prefix: { prefix: "mine/" } };
export default PLACES[KIND] ? { ...store, ...PLACES[KIND], forget: undefined } : store;

const layout = "0+1:50,4n,9";
const asked = {
  namespace,
  layout,
  last: 15,
  mask: 0,
  bits: 0,
  ttlMs,
  quarantineMs: 20_000,
  label: "web-1 17",
};
await store.acquire({ ...asked, token: "a" });
await store.acquire({ ...asked, token: "b" });
ahead = FAR_MS;
await store.renew({ ...asked, number: 0, token: "a", nextToken: "a" });
await store.renew({ ...asked, number: 1, token: "b", nextToken: "b" });
await store.release({ namespace, number: 1, tokens: ["b"], nextFree: Date.now() + FAR_MS });
ahead = 0;
if (KIND === "alive") await store.acquire({ ...asked, token: "c", label: "web-3 5" });
if (KIND === "ahead") ahead = 3_660_000;

export async function close() {
  process.stderr.write(`${(await store.list(namespace)).length} records\n`);
}
