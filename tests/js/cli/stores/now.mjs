// A store on the real clock. With KIND "forgetful", it is forgetful; with "full", each number is
// held and the first has expired; otherwise, it is new.
import { snowflake } from "graupel";
import { memory } from "graupel/lease";

const { KIND = "" } = process.env;
export const namespace = "few";
export const format = snowflake({ epoch: 0, fields: { time: 50, worker: 1, sequence: 12 } });
export const quarantineMs = 20_000;

let past = KIND === "full" ? 60_000 : 0;
const store = memory({ clock: () => Date.now() - past, durable: KIND !== "forgetful" });
export default store;

const asked = { namespace, layout: "0+1:50,1n,12", last: 1, mask: 0, bits: 0, quarantineMs, label: "web" };
if (KIND === "full") {
  await store.acquire({ ...asked, token: "a", ttlMs: 30_000 });
  await store.acquire({ ...asked, token: "b", ttlMs: 75_000 });
  past = 0;
}

export async function close() {
  process.stderr.write(`${JSON.stringify(await store.list(namespace))}\n`);
}
