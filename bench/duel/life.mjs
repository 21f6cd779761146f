// One life of lives.mjs: `node life.mjs contestant batch`. Makes IDs until it is killed, and writes each batch to standard
// output as bytes: 64 bits for a number, else the text. Pipe 3 carries the length of an ID, and the errors of calls.

import { writeSync } from "node:fs";
import { contestants } from "./contestants.mjs";
import { load } from "./load.mjs";
import { Tally } from "./tally.mjs";

const [IDS, WORDS] = [1, 3];
/** Ends by itself after this many milliseconds, if the parent does not kill it. */
const BOUND = 20_000;
/** The worker ID: the same after each restart. */
const WORKER = 1;

const [name, batch] = process.argv.slice(2);
const { specifier, make, many, sortable = (id) => id } = contestants.find((one) => one.name === name);

/** Returns the function that makes a batch: in one call if the contestant can, else one by one. The tally gets errors. */
function source(module) {
  const size = Number(batch);
  if (many !== undefined) {
    const next = many(module, WORKER);
    return (tally) => {
      try {
        return next(size);
      } catch (error) {
        tally.fail(error);
        return [];
      }
    };
  }
  const next = make(module, WORKER);
  return async (tally) => {
    for (let i = 0; i < size; i++) {
      try {
        const id = next();
        tally.add(sortable(id instanceof Promise ? await id : id));
      } catch (error) {
        tally.fail(error);
      }
    }
    return tally.ids;
  };
}

/** The bytes of IDs of one kind. */
function bytesOf(ids) {
  if (typeof ids[0] === "string") return Buffer.from(ids.join(""), "latin1");
  const numbers = typeof ids[0] === "bigint" ? BigInt64Array : Float64Array;
  return Buffer.from((ids instanceof numbers ? ids : numbers.from(ids)).buffer);
}

function write(bytes) {
  for (let written = 0; written < bytes.length; ) written += writeSync(IDS, bytes, written);
}

const say = (words) => writeSync(WORDS, `${JSON.stringify(words)}\n`);

const issue = source(await load(specifier));
let told = false;
while (performance.now() < BOUND) {
  const tally = new Tally();
  const ids = await issue(tally);
  if (ids.length > 0) {
    const bytes = bytesOf(ids);
    if (!told) say({ width: bytes.length / ids.length });
    told = true;
    write(bytes);
  }
  for (const [kind, count] of tally.kinds) say({ kind, count });
}
