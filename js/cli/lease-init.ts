/**
 * `graupel lease init`: creates a namespace ahead of time, so that the first start does not wait.
 */
import { randomUUID } from "node:crypto";
import { type LeaseInput, recordsOf } from "./lease-input.js";
import { write } from "./output.js";
import { printable, printableJson } from "./terminal.js";
import { shownDuration, shownTime } from "./times.js";
import { answerOf } from "./user-module.js";

export async function init(input: LeaseInput): Promise<number> {
  const { namespace, typed } = input;
  const { quarantineMs } = input.request();
  const readyMs = await prepared(input);
  const said =
    readyMs === undefined
      ? `nothing to prepare: the store may lose writes, so each start waits ${shownDuration(quarantineMs)}`
      : readyMs > Date.now()
        ? `from ${shownTime(readyMs)} on, starts do not wait`
        : "already exists; starts do not wait";
  await write(
    typed.flags.has("json")
      ? `${printableJson({ namespace, quarantineMs, readyMs: readyMs ?? null })}\n`
      : `${printable(namespace)}: ${said}\n`,
  );
  return 0;
}

/**
 * Creates the namespace if it does not exist, by acquiring a number and releasing it unused.
 * Returns the Unix milliseconds from which a number may be used; undefined for a store that needs
 * no preparation.
 */
async function prepared(input: LeaseInput): Promise<number | undefined> {
  const { store, namespace } = input;
  const request = input.request();
  if (!store.durable) return undefined;
  // If all numbers are held, acquiring would take an expired one from its holder.
  if (store.list && (await recordsOf(input)).filter(({ held }) => held).length > request.last) return 0;
  const token = `init ${randomUUID()}`;
  const answer = await answerOf("store", store.acquire({ ...request, token, label: "graupel lease init" }));
  if ("layout" in answer) {
    throw new Error(`${namespace} has IDs of the layout ${answer.layout}, not ${request.layout}`);
  }
  if ("retryInMs" in answer) return 0;
  const { number, from } = answer;
  await answerOf("store", store.release({ namespace, number, tokens: [token], nextFree: 0 }));
  return from;
}
