/** IDs as sort keys in DynamoDB, on dynalite. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { BatchWriteCommand, DynamoDBDocumentClient, PutCommand, paginateQuery } from "@aws-sdk/lib-dynamodb";
import { discord, sno } from "graupel";
import { useDynalite } from "../support/dynalite.ts";
import { runGuide } from "../support/guide.ts";
import { agree, ids, ODD } from "../support/rows.ts";

const server = useDynalite();
let db: DynamoDBDocumentClient;
before(async () => {
  await server.started;
  db = DynamoDBDocumentClient.from(server.client);
});

/** The maximum number of items in a write, and the number of concurrent writes. */
const BATCH = 25;
const WRITERS = 8;

/** Fewer items than in the other tests, because dynalite is slow. Their IDs cover two months. */
const ITEMS = 40_000;

/** The keys in a range, in the table's order. */
async function keysBetween(TableName: string, min: unknown, max: unknown): Promise<unknown[]> {
  const found: unknown[] = [];
  const query = {
    TableName,
    KeyConditionExpression: "shop = :shop AND id BETWEEN :min AND :max",
    ExpressionAttributeValues: { ":shop": "a", ":min": min, ":max": max },
  };
  for await (const { Items = [] } of paginateQuery({ client: db }, query)) {
    for (const { id } of Items as { id?: unknown }[]) found.push(id);
  }
  return found;
}

test("40,000 items come back whole and in order, and ranges count them", async () => {
  await server.createTable("many", "N");
  const { made, next } = ids();
  const writer = async () => {
    while (made.length < ITEMS) {
      const items = Array.from({ length: BATCH }, () => ({
        PutRequest: { Item: { shop: "a", id: next() } },
      }));
      const { UnprocessedItems = {} } = await db.send(
        new BatchWriteCommand({ RequestItems: { many: items } }),
      );
      assert.deepEqual(UnprocessedItems, {});
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  const found = (await keysBetween("many", made[0], made.at(-1))) as bigint[];
  await agree(made, found, async (min, max) => (await keysBetween("many", min, max)).length, ITEMS);
});

test("the whole 64 bits of Discord, and small IDs, which come as numbers", async () => {
  await server.createTable("messages", "N");
  const last = discord.range().max;
  for (const id of [last, 5n, ODD])
    await db.send(new PutCommand({ TableName: "messages", Item: { shop: "a", id } }));
  const found = await keysBetween("messages", 0n, last);
  assert.deepEqual(found, [5, ODD, last]);
  assert.deepEqual(
    found.map((id) => discord.fromBigInt(BigInt(id as number))),
    [5n, ODD, last],
  );
});

test("a number above 2^53 is refused by the client", async () => {
  const put = new PutCommand({ TableName: "messages", Item: { shop: "b", id: Number(ODD) } });
  await assert.rejects(() => db.send(put), /greater than Number.MAX_SAFE_INTEGER/);
});

test("texts of sno sort as the IDs do", async () => {
  await server.createTable("logs", "S");
  const made = sno.generator({ partition: 7 }).nextMany(100);
  for (const id of [...made].reverse())
    await db.send(new PutCommand({ TableName: "logs", Item: { shop: "a", id } }));
  const { min, max } = sno.range(Date.now() - 60_000);
  assert.deepEqual(await keysBetween("logs", min, max), made);
});

test("the guide", () =>
  runGuide("keys.md", "dynamodb", {
    env: {
      AWS_ENDPOINT_URL: server.endpoint,
      AWS_REGION: "local",
      AWS_ACCESS_KEY_ID: "any",
      AWS_SECRET_ACCESS_KEY: "any",
    },
    lines: 1,
  }));
