/** The drivers of MongoDB, through BSON, and of DynamoDB, through dynalite, which imitates it. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { BatchWriteCommand, DynamoDBDocumentClient, paginateQuery } from "@aws-sdk/lib-dynamodb";
// @ts-expect-error: no types
import dynalite from "dynalite";
import { BSON, MongoClient } from "mongodb";
import { runGuide } from "../support/guide.ts";
import { serverOf } from "../support/servers.ts";
import { agreeWithPage } from "./page.ts";

/** Starts dynalite, which imitates DynamoDB, with a client. */
async function startDynalite() {
  const server = dynalite({ createTableMs: 0 }) as Server;
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: "any", secretAccessKey: "any" };
  const client = new DynamoDBClient({ endpoint, region: "local", credentials });
  return {
    client,
    endpoint,
    /** Creates a table of shops with integers as the sort key. */
    createTable: (TableName: string) =>
      client.send(
        new CreateTableCommand({
          TableName,
          KeySchema: [
            { AttributeName: "shop", KeyType: "HASH" },
            { AttributeName: "id", KeyType: "RANGE" },
          ],
          AttributeDefinitions: [
            { AttributeName: "shop", AttributeType: "S" },
            { AttributeName: "id", AttributeType: "N" },
          ],
          BillingMode: "PAY_PER_REQUEST",
        }),
      ),
    async stop() {
      client.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

const server = serverOf(startDynalite);

/** Sends a document as a client does, reads it back, and returns its field `id`. */
function readWith(client: { db(): { bsonOptions: object } }, document: object): unknown {
  const { bsonOptions } = client.db();
  const { id }: { id?: unknown } = BSON.deserialize(BSON.serialize(document, bsonOptions), bsonOptions);
  return id;
}

/** The maximum number of items in a DynamoDB write. */
const BATCH = 25;

let tables = 0;

agreeWithPage("MongoDB and DynamoDB", {
  "`mongodb`": {
    async roundTrip(ids) {
      const client = new MongoClient("mongodb://127.0.0.1");
      return ids.map((id) => readWith(client, { id }));
    },
  },
  "`@aws-sdk/lib-dynamodb`": {
    async roundTrip(ids) {
      const { client } = server;
      const TableName = `orders-${tables++}`;
      await server.createTable(TableName);
      const documents = DynamoDBDocumentClient.from(client);
      for (let i = 0; i < ids.length; i += BATCH) {
        const items = ids.slice(i, i + BATCH).map((id) => ({ PutRequest: { Item: { shop: "a", id } } }));
        await documents.send(new BatchWriteCommand({ RequestItems: { [TableName]: items } }));
      }
      const found: unknown[] = [];
      const ExpressionAttributeValues = { ":shop": "a" };
      const query = { TableName, KeyConditionExpression: "shop = :shop", ExpressionAttributeValues };
      for await (const { Items = [] } of paginateQuery({ client: documents }, query)) {
        found.push(...Items.map(({ id }: { id?: unknown }) => id));
      }
      return found;
    },
  },
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
