/** Standard input and output of the command line: any bytes, in any amount. */
import assert from "node:assert/strict";
import { closeSync, openSync } from "node:fs";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { describe, it } from "node:test";
import { knownDiscord } from "../support/formats.ts";
import { json, linesOf, outcome, run, start, succeeds } from "./run.ts";

describe("inspect, standard input", () => {
  const args = ["inspect", "-f", "discord", "--json"];

  it("takes lines with any end, and none from nothing", async () => {
    const answer = await succeeds([...args, knownDiscord]);
    for (const input of [knownDiscord, `${knownDiscord}\n`, `${knownDiscord}\r\n`, `${knownDiscord}\r`])
      assert.equal(await succeeds(args, input), answer);
    assert.equal(
      await succeeds(args, `${knownDiscord}\r\n${knownDiscord}\n${knownDiscord}`),
      answer.repeat(3),
    );
    assert.equal(await succeeds(args, ""), "");
    for (const input of ["\n", "\r\n", "\n\n"]) {
      const { code, out } = await run(args, input);
      assert.deepEqual([code, ...json(out).map((line) => line.input)], [1, ...input.split(/\r?\n/).slice(1)]);
    }
  });

  it("answers each line before the next is there", { timeout: 600_000 }, async () => {
    const child = start(args, { stdio: ["pipe", "pipe", "inherit"] });
    assert.ok(child.stdin && child.stdout);
    const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
    for (let n = 1; n <= 3; n++) {
      child.stdin.write(`${n}\n`);
      assert.equal(JSON.parse((await answers.next()).value).integer, String(n));
    }
    child.stdin.end();
    assert.equal((await answers.next()).done, true);
  });

  it("decodes characters that lie across two chunks", async () => {
    const { code, out } = await run(args, `${"é€1\n".repeat(50_000)}`);
    const answers = linesOf(out);
    assert.deepEqual([code, answers.length, new Set(answers).size], [1, 50_000, 1]);
    assert.equal(JSON.parse(answers[0] ?? "").input, "é€1");
  });

  it("survives bytes that are no text", async () => {
    const bytes = Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 37 + (i >> 8)) % 256));
    const { code, out, err } = await run(args, bytes);
    assert.deepEqual([code, err], [1, ""]);
    assert.equal(json(out).length, bytes.filter((byte) => byte === 10).length + 1);
  });

  it("holds neither a long line nor a long input", { timeout: 300_000 }, async () => {
    const size = 512 * 1024 * 1024;
    const peak = 'data:text/javascript,process.on("exit",()=>console.error(process.resourceUsage().maxRSS))';
    const child = start(args, {}, ["--import", peak]);
    const chunk = Buffer.alloc(1024 * 1024, "7");
    const result = outcome(child);
    for (let sent = 0; sent < size; sent += chunk.length) {
      if (!child.stdin?.write(chunk)) await new Promise((resolve) => child.stdin?.once("drain", resolve));
    }
    child.stdin?.end();
    const { code, out, err } = await result;
    assert.equal(code, 1);
    assert.deepEqual(json(out)[0]?.error, {
      code: "LENGTH",
      message: `a line of ${size} bytes is too long for an ID`,
    });
    assert.ok(Number(err) * 1024 < size / 2, `peak of ${err.trim()} KiB`);
  });

  it("ends quietly when its reader has seen enough", async () => {
    const child = start(args);
    child.stdin?.on("error", () => {});
    const feed = (): void => {
      while (child.stdin?.writable && child.stdin.write(`${knownDiscord}\n`.repeat(1000)));
    };
    child.stdin?.on("drain", feed);
    feed();
    child.stdout?.once("data", () => child.stdout?.destroy());
    const { code, err } = await outcome(child);
    assert.deepEqual({ code, err }, { code: 0, err: "" });
  });

  it("refuses a directory", async () => {
    const directory = openSync(tmpdir(), "r");
    const { code, err } = await outcome(start(args, { stdio: [directory, "pipe", "pipe"] }));
    closeSync(directory);
    assert.deepEqual([code, err], [1, "graupel: standard input is a directory\n"]);
  });
});
