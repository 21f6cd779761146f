// A process makes IDs as fast as it can, is killed meanwhile, and is started again at once. Its state is lost; the IDs
// that it has written are not.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("./life.mjs", import.meta.url));

/** Longest time until the first batch of a life, in milliseconds. */
const BOUND = 5000;

/** One life: the IDs that it wrote before it was killed, `ms` after its first batch or after `most` bytes. */
function live({ name }, { batch, ms, most }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, name, String(batch)], {
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    const chunks = [];
    let [bytes, said, err, killed] = [0, "", "", false];
    const kill = () => {
      killed = true;
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
      if (bytes >= most && !killed) kill();
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      err += text;
    });
    child.stdio[3].setEncoding("utf8").on("data", (text) => {
      said += text;
    });
    child.on("error", reject);
    // `close`, not `exit`: the pipes must be empty.
    child.on("close", (code) => {
      clearTimeout(timer);
      const reason = /^\w*Error.*$/m.exec(err)?.[0];
      if (!killed) reject(new Error(reason ?? `a life ended by itself, with exit code ${code}`));
      else resolve({ handed: Buffer.concat(chunks), said });
    });
  });
}

/** The messages of a life. The last line may be cut off by the kill. */
function heard(said) {
  const words = said.split("\n").slice(0, -1);
  const lines = words.map((line) => JSON.parse(line));
  return { width: lines.find(({ width }) => width)?.width, errors: lines.filter(({ kind }) => kind) };
}

/** The number of duplicates among IDs of `width` bytes. Numbers are sorted: a Set of so many takes too long. */
function repeated(bytes, width) {
  if (width === BigUint64Array.BYTES_PER_ELEMENT) {
    const ids = new BigUint64Array(Uint8Array.from(bytes).buffer).sort();
    return ids.reduce((sum, id, i) => sum + Number(i > 0 && id === ids[i - 1]), 0);
  }
  const seen = new Set();
  for (let at = 0; at < bytes.length; at += width) seen.add(bytes.latin1Slice(at, at + width));
  return bytes.length / width - seen.size;
}

/** The counts over all lives. An ID of which only a part was written does not count. */
export async function liveAndDie(contestant, story) {
  const whole = [];
  const kinds = {};
  let width;
  for (let life = 0; life < story.lives; life++) {
    const { handed, said } = await live(contestant, story);
    const words = heard(said);
    width ??= words.width;
    for (const { kind, count } of words.errors) kinds[kind] = (kinds[kind] ?? 0) + count;
    if (width !== undefined) whole.push(handed.subarray(0, handed.length - (handed.length % width)));
  }
  const bytes = Buffer.concat(whole);
  const issued = bytes.length === 0 ? 0 : bytes.length / width;
  const errors = Object.values(kinds).reduce((sum, count) => sum + count, 0);
  return { issued, duplicates: issued === 0 ? 0 : repeated(bytes, width), errors, kinds, hung: false };
}
