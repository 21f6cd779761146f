/** A server of DynamoDB, of a test of its own. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { CreateTableCommand, DynamoDBClient, type ScalarAttributeType } from "@aws-sdk/client-dynamodb";
// @ts-expect-error: no types
import dynalite from "dynalite";
import { serverOf } from "./servers.ts";

/** DynamoDB, as far as dynalite does the same, and a client of it. */
async function startDynalite() {
  const server = dynalite({ createTableMs: 0 }) as Server;
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: "any", secretAccessKey: "any" };
  const client = new DynamoDBClient({ endpoint, region: "local", credentials });
  return {
    client,
    endpoint,
    /** A table of shops, with IDs as its sort key. */
    createTable: (TableName: string, type: ScalarAttributeType) =>
      client.send(
        new CreateTableCommand({
          TableName,
          KeySchema: [
            { AttributeName: "shop", KeyType: "HASH" },
            { AttributeName: "id", KeyType: "RANGE" },
          ],
          AttributeDefinitions: [
            { AttributeName: "shop", AttributeType: "S" },
            { AttributeName: "id", AttributeType: type },
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

export const useDynalite = () => serverOf(startDynalite);
