/** IDs in Redis: values, sorted sets, and BullMQ jobs. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Queue, QueueEvents, Worker } from "bullmq";
import { sno } from "graupel";
import { decode, encode } from "graupel/encode";
import { prefixed } from "graupel/prefixed";
import { Redis } from "ioredis";
import { runGuide } from "../support/guide.ts";
import { agree, ids, MANY, ODD, orders } from "../support/rows.ts";
import { useRedis } from "../support/servers.ts";

const server = useRedis(() => redis?.disconnect());
let redis: Redis;
before(async () => {
  await server.started;
  redis = new Redis(server.options);
});

const member = (id: bigint) => encode(orders, id, "base62");

describe("values and sorted sets", () => {
  test("100,000 members come back whole and in order, and ranges count them", async () => {
    const { made, next } = ids();
    for (let i = 0; i < MANY; i++) next();
    const pipeline = redis.pipeline();
    for (const id of [...made].reverse()) pipeline.zadd("many", 0, member(id));
    const answers = (await pipeline.exec()) ?? [];
    assert.equal(answers.filter(([error]) => error !== null).length, 0);
    const found = await redis.zrange("many", "-", "+", "BYLEX");
    await agree(
      made,
      found.map((text) => decode(orders, text, "base62")),
      (min, max) => redis.zlexcount("many", `[${member(min)}`, `[${member(max)}`),
    );
    await redis.mset(made.flatMap((id) => [`many:${id}`, `${id}`]));
    const values = await redis.mget(made.map((id) => `many:${id}`));
    assert.deepEqual(values.map(orders.parse), made);
  });

  test("a score rounds, and so do `tonumber` and INCR's answer", async () => {
    await redis.zadd("scores", `${ODD}`, "a");
    assert.notEqual(BigInt(Number(await redis.zscore("scores", "a"))), ODD);
    assert.notEqual(BigInt((await redis.eval("return tonumber(ARGV[1])", 0, `${ODD}`)) as number), ODD);
    assert.equal(await redis.eval("return ARGV[1]", 0, `${ODD}`), `${ODD}`);
    await redis.set("counter", `${ODD - 1n}`);
    assert.notEqual(BigInt(await redis.incr("counter")), ODD);
    assert.equal(await redis.get("counter"), `${ODD}`);
  });

  test("decimal texts do not sort, texts of sno do", async () => {
    await redis.zadd("decimal", 0, "9", 0, "10");
    assert.deepEqual(await redis.zrange("decimal", "-", "+", "BYLEX"), ["10", "9"]);
    const made = sno.generator({ partition: 7 }).nextMany(500);
    for (const id of [...made].reverse()) await redis.zadd("logs", 0, id);
    const { min, max } = sno.range(Date.now() - 60_000);
    assert.deepEqual(await redis.zrange("logs", `[${min}`, `[${max}`, "BYLEX"), made);
  });
});

describe("BullMQ", () => {
  const jobs = prefixed(orders, "order_");
  let queue: Queue;
  before(() => {
    queue = new Queue("shipping", { connection: server.options });
  });
  after(() => queue?.close());

  test("a decimal job ID is refused if rounding leaves it as it is", async () => {
    const [quiet, busy] = [orders.range(Date.UTC(2025, 0, 1)).min, orders.parse(ODD)];
    assert.equal(`${Number(quiet)}`, `${quiet}`);
    assert.notEqual(`${Number(busy)}`, `${busy}`);
    for (const jobId of [`${quiet}`, "12"]) {
      await assert.rejects(queue.add("ship", {}, { jobId }), /Custom Id cannot be integers/);
    }
    assert.equal((await queue.add("ship", {}, { jobId: `${busy}` })).id, `${busy}`);
    await assert.rejects(queue.add("ship", {}, { jobId: `order:${busy}` }), /Custom Id cannot contain :/);
  });

  test("the data of a job is JSON, which has no BigInt", () =>
    assert.rejects(queue.add("ship", { order: ODD }), TypeError));

  test("IDs behind a prefix go through a worker, and the second job of an ID is the first one", async () => {
    await queue.obliterate();
    const made = orders.generator({ worker: 5, clock: () => Date.UTC(2025, 0, 1) }).nextMany(200);
    const opts = (id: bigint) => ({ jobId: jobs.format(id) });
    const job = (id: bigint) => ({ name: "ship", data: { order: orders.format(id) }, opts: opts(id) });
    await queue.addBulk([...made, ...made].map(job));
    assert.equal(await queue.getWaitingCount(), made.length);
    const seen: bigint[] = [];
    const events = new QueueEvents("shipping", { connection: server.options });
    await events.waitUntilReady();
    const work = async ({ id, data }: { id?: string | undefined; data: { order: string } }) => {
      assert.equal(orders.parse(data.order), jobs.parse(id));
      seen.push(jobs.parse(id));
    };
    const worker = new Worker("shipping", work, { connection: server.options });
    await new Promise<void>((done, fail) => {
      worker.on("drained", done);
      worker.on("failed", (_, error) => fail(error));
    });
    await worker.close();
    await events.close();
    assert.deepEqual(seen, made);
  });
});

test("the guide", () => {
  const { host, port } = server.options;
  return runGuide("keys.md", "redis", { env: { REDIS_URL: `redis://${host}:${port}/1` }, lines: 3 });
});
