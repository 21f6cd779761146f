/** Libraries for Redis, and the guide to keys. */
import { before, test } from "node:test";
import { decode, encode } from "graupel/encode";
import { Redis } from "ioredis";
import { runGuide } from "../support/guide.ts";
import { orders } from "../support/rows.ts";
import { useRedis } from "../support/servers.ts";
import { agreeWithPage } from "./page.ts";

const server = useRedis(() => redis?.disconnect());
let redis: Redis;
before(async () => {
  await server.started;
  redis = new Redis(server.options);
});

agreeWithPage("Redis", {
  "`ioredis`, a value": {
    async roundTrip(ids, { call = (_: Redis, key: string) => redis.get(key) }) {
      await redis.mset(ids.flatMap((id, i) => [`order:${i}`, `${id}`]));
      return Promise.all(ids.map((_, i) => call(redis, `order:${i}`)));
    },
  },
  "`ioredis`, a score": {
    scope: { encode },
    async roundTrip(ids, { call }) {
      await redis.del("orders");
      if (call === undefined) {
        await Promise.all(ids.map((id, i) => redis.zadd("orders", `${id}`, `order ${i}`)));
        const found = await redis.zrangebyscore("orders", "-inf", "+inf", "WITHSCORES");
        return found.filter((_, i) => i % 2 === 1).map(Number);
      }
      await Promise.all([...ids].reverse().map((id) => call(redis, "orders", id)));
      const found = await redis.zrange("orders", "-", "+", "BYLEX");
      return found.map((text) => decode(orders, text, "base62"));
    },
  },
});

test("the guide", () => {
  const { host, port } = server.options;
  return runGuide("keys.md", "redis", { env: { REDIS_URL: `redis://${host}:${port}/1` }, lines: 3 });
});
