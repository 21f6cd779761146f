/**
 * Drivers and libraries for document databases. MongoDB is tested through BSON, DynamoDB through
 * dynalite.
 */

import { BatchWriteCommand, DynamoDBDocumentClient, paginateQuery } from "@aws-sdk/lib-dynamodb";
import { idPath } from "graupel/mongoose";
import { BSON, MongoClient } from "mongodb";
import { Mongoose, Schema } from "mongoose";
import { useDynalite } from "../support/dynalite.ts";
import { orders } from "../support/rows.ts";
import { agreeWithPage } from "./page.ts";

const server = useDynalite();

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
  Mongoose: {
    scope: { idPath },
    async roundTrip(ids, { _id = Number }) {
      const Order = new Mongoose().model("Order", new Schema({ _id }));
      const client = new MongoClient("mongodb://127.0.0.1");
      return ids.map((id) => Order.hydrate({ _id: readWith(client, { id }) })._id);
    },
  },
  "Mongoose, `lean()`": {
    async roundTrip(ids) {
      const mongoose = new Mongoose();
      const paths = { _id: idPath(orders), id: idPath(orders) };
      const Order = mongoose.model("Order", new Schema(paths, { id: false }));
      const client = new mongoose.mongo.MongoClient("mongodb://127.0.0.1");
      return ids.map((id) => readWith(client, new Order({ _id: id, id })));
    },
  },
  "`@aws-sdk/lib-dynamodb`": {
    async roundTrip(ids) {
      const { client } = server;
      const TableName = `orders-${tables++}`;
      await server.createTable(TableName, "N");
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
