// A store whose clock stands still, with a record in each state. The command-line guide shows them.
import { twitter } from "graupel";
import { memory } from "graupel/lease";

export const namespace = "orders";
export const format = twitter;

const START = Date.UTC(2026, 0, 1);
let seconds = 0;
const store = memory({ clock: () => START + seconds * 1000 });
export default store;

const layout = "1288834974657+1:41,5n,5n,12";
const asked = { namespace, layout, last: 1023, mask: 0, bits: 0, ttlMs: 30_000, quarantineMs: 30_000 };
const acquire = (token, label, more) => store.acquire({ ...asked, token, label, ...more });
const renew = (number, token) => store.renew({ ...asked, number, token, nextToken: token });

await acquire("a", "web-1 17");
await acquire("b", "web-2 21");
await acquire("c", "web-3 9");
seconds = 20;
for (const [number, token] of ["a", "b", "c"].entries()) await renew(number, token);
seconds = 40;
await renew(0, "a");
await store.release({ namespace, number: 2, tokens: ["c"], nextFree: START + 35_000 });
seconds = 55;
await acquire("d", process.env.LABEL ?? "web-4 5", { quarantineMs: 60_000, bits: 33, mask: 1023 });
