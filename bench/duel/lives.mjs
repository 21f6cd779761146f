// A process generates IDs as fast as it can, is killed, and is restarted at once. It loses its
// state, but the IDs that it has written are kept.

import { spawn } from "node:child_process";
import { writeSync } from "node:fs";
import { repeatedAmong } from "../../tests/support/issued.mjs";
import { added, Issue, sum } from "./counts.mjs";
import { load } from "./load.mjs";

/**
 * The longest wait for the first batch of a life, and the longest life without a kill, in
 * milliseconds.
 */
const BOUND = 5000;
const ALONE = 20_000;
/** The worker ID, which stays the same after each restart. */
const WORKER = 1;

/**
 * One life: generates IDs until the process is killed, and writes each batch to standard output:
 * numbers as 64 bits, other IDs as text. Standard error gets the length of an ID and the errors of
 * calls, as lines of JSON.
 */
export async function live({ package: specifier, make, many, sortable }, { batch }) {
  const say = (words) => writeSync(2, `${JSON.stringify(words)}\n`);
  const write = (bytes) => {
    for (let written = 0; written < bytes.length; ) {
      try {
        written += writeSync(1, bytes, written);
      } catch (error) {
        // The pipe is full while the reader is busy.
        if (error.code !== "EAGAIN") throw error;
      }
    }
  };
  const bytesOf = (ids) => {
    if (typeof ids[0] === "string") return Buffer.from(ids.join(""), "latin1");
    const numbers = typeof ids[0] === "bigint" ? BigInt64Array : Float64Array;
    return Buffer.from((ids instanceof numbers ? ids : numbers.from(ids)).buffer);
  };
  const module = await load(specifier);
  const next = (many ?? make)(module, WORKER);
  let told = false;
  while (performance.now() < ALONE) {
    const issue = new Issue();
    if (many === undefined) {
      for (let i = 0; i < batch; i++) {
        const pending = issue.call(next, sortable);
        if (pending) await pending;
      }
    } else {
      try {
        issue.ids = next(batch);
      } catch (error) {
        issue.fail(error);
      }
    }
    if (issue.ids.length > 0) {
      const bytes = bytesOf(issue.ids);
      if (!told) say({ width: bytes.length / issue.ids.length });
      told = true;
      write(bytes);
    }
    if (Object.keys(issue.kinds).length > 0) say({ kinds: issue.kinds });
  }
}

/**
 * Runs one life. Kills it `ms` milliseconds after its first batch, or after `most` bytes. Resolves
 * to its output.
 */
function killed(program, { name }, { name: title, ms, most }) {
  return new Promise((resolve, reject) => {
    const wanted = JSON.stringify({ name, title, part: "life" });
    const child = spawn(process.execPath, [program, wanted], { stdio: ["ignore", "pipe", "pipe"] });
    const chunks = [];
    let [bytes, said, wasKilled] = [0, "", false];
    const kill = () => {
      wasKilled = true;
      child.kill("SIGKILL");
    };
    let timer = setTimeout(kill, BOUND);
    child.stdout.on("data", (chunk) => {
      if (chunks.length === 0) {
        clearTimeout(timer);
        timer = setTimeout(kill, ms);
      }
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= most && !wasKilled) kill();
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
    child.on("error", reject);
    // Wait for `close`, not for `exit`, because the pipes must be empty.
    child.on("close", (code) => {
      clearTimeout(timer);
      const reason = /^\w*Error.*$/m.exec(said)?.[0] ?? `a life ended by itself, with exit code ${code}`;
      // The kill may have cut off the last line.
      const words = said.split("\n").slice(0, -1);
      if (!wasKilled) reject(new Error(reason));
      else resolve({ handed: Buffer.concat(chunks), words: words.map((line) => JSON.parse(line)) });
    });
  });
}

/**
 * The number of duplicates among IDs of `width` bytes. Numbers are sorted, because a Set of so many
 * takes too long.
 */
function repeated(bytes, width) {
  if (width === BigUint64Array.BYTES_PER_ELEMENT) {
    const ids = new BigUint64Array(Uint8Array.from(bytes).buffer).sort();
    return ids.reduce((total, id, i) => total + Number(i > 0 && id === ids[i - 1]), 0);
  }
  const count = bytes.length / width;
  return repeatedAmong(
    Array.from({ length: count }, (_, i) => bytes.latin1Slice(i * width, (i + 1) * width)),
  );
}

/** The counts over all lives. An ID that was only partly written does not count. */
export async function liveAndDie(program, contestant, story) {
  const lives = [];
  for (let life = 0; life < story.lives; life++) lives.push(await killed(program, contestant, story));
  const words = lives.flatMap((one) => one.words);
  const width = words.find((word) => word.width)?.width ?? 1;
  const bytes = Buffer.concat(
    lives.map(({ handed }) => handed.subarray(0, handed.length - (handed.length % width))),
  );
  const kinds = added(words.flatMap((word) => word.kinds ?? []));
  return {
    issued: bytes.length / width,
    duplicates: repeated(bytes, width),
    errors: sum(Object.values(kinds)),
    kinds,
    hung: false,
  };
}
