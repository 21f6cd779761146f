/** A DynamoDB server that a test file starts for itself. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { CreateTableCommand, DynamoDBClient, type ScalarAttributeType } from "@aws-sdk/client-dynamodb";
// @ts-expect-error: no types
import dynalite from "dynalite";
import { serverOf } from "./servers.ts";

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
    /** Creates a table of shops with IDs as the sort key. */
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
