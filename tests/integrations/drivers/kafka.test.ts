/** Keys of Kafka messages. The broker is a mock cluster of librdkafka. */
import { type EachMessagePayload, Kafka, logLevel, Partitioners } from "kafkajs";
import { orders } from "../support/rows.ts";
import { useKafka } from "../support/servers.ts";
import { agreeWithPage, type Library } from "./page.ts";

const server = useKafka();

let topics = 0;

/** Sends messages with IDs as keys and reads the keys back. */
const throughKafka = (read: (key: Buffer) => unknown): Library => ({
  error: /must be of type string or an instance of Buffer/,
  async roundTrip(ids, { key = (id: bigint) => id }) {
    await server.started;
    const kafka = new Kafka({ ...server.options, logLevel: logLevel.NOTHING, retry: { retries: 0 } });
    const topic = `orders-${topics++}`;
    const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
    const messages = ids.map((id, i) => ({ key: key(id), value: `${i}` }));
    await producer.connect();
    await producer.send({ topic, messages }).finally(() => producer.disconnect());
    const consumer = kafka.consumer({ groupId: topic });
    const found: unknown[] = [];
    await consumer.connect();
    try {
      await consumer.subscribe({ topic, fromBeginning: true });
      let left = ids.length;
      await new Promise<void>((done, fail) => {
        consumer.on("consumer.crash", ({ payload }) => fail(payload.error));
        const eachMessage = async ({ message: { key, value } }: EachMessagePayload) => {
          found[Number(value)] = key && read(key);
          if (--left === 0) done();
        };
        consumer.run({ eachMessage }).catch(fail);
      });
    } finally {
      await consumer.disconnect();
    }
    return found;
  },
});

agreeWithPage("Kafka", {
  "`kafkajs`, a key": throughKafka(String),
  "`kafkajs`, a key of 8 bytes": throughKafka((key) => orders.fromBytes(key)),
});
