/** Error messages of the command line: what was probably meant, and what is allowed, in the words that were typed. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { known } from "./known.ts";
import { linesOf, outcome, refuses, run, start, succeeds } from "./run.ts";

/** Asserts a refusal with exactly this first line. */
async function says(args: readonly string[], message: string): Promise<void> {
  const { code, out, err } = await run(args);
  assert.deepEqual([linesOf(err)[0], out, code], [`graupel: ${message}`, "", 2], args.join(" "));
}

const words = (line: string): string[] => line.split(" ").filter(Boolean);

describe("did you mean", () => {
  const meant: [string, string][] = [
    // Commands: one edit for every three letters, a swap, a prefix, another case.
    ["generte", 'unknown command "generte"; did you mean generate?'],
    ["isnpect", 'unknown command "isnpect"; did you mean inspect?'],
    ["ranges", 'unknown command "ranges"; did you mean range?'],
    ["conv", 'unknown command "conv"; did you mean convert?'],
    ["COMPOSE", 'unknown command "COMPOSE"; did you mean compose?'],
    ["hepl", 'unknown command "hepl"; did you mean help?'],
    ["help formts", 'unknown command "formts"; did you mean formats?'],
    // Formats.
    ["generate sn", 'unknown format "sn"; did you mean sno?'],
    ["generate xno", 'unknown format "xno"; did you mean sno?'],
    ["generate twxxter", 'unknown format "twxxter"; did you mean twitter?'],
    ["generate Discord", 'unknown format "Discord"; did you mean discord?'],
    ["generate snowflakeSI", 'unknown format "snowflakeSI"; did you mean snowflake-si?'],
    ["generate ulidFlakeScalabel", 'unknown format "ulidFlakeScalabel"; did you mean ulid-flake-scalable?'],
    [`inspect --format dicsord ${known}`, 'unknown format "dicsord"; did you mean discord?'],
    [`convert dicsord --to hex ${known}`, 'unknown format "dicsord"; did you mean discord?'],
    ["compose instagran --time 0", 'unknown format "instagran"; did you mean instagram?'],
    ["range mastdon 0 1", 'unknown format "mastdon"; did you mean mastodon?'],
    // Options: those of the format, single letters, and the fields of a custom layout.
    ["--hlep", 'unknown option "--hlep"; did you mean --help?'],
    ["-v", 'unknown option "-v"; did you mean -V?'],
    ["generate sno --metabite 3", 'unknown option "--metabite"; did you mean --metabyte?'],
    ["generate sno --Metabyte=3", 'unknown option "--Metabyte"; did you mean --metabyte?'],
    ["generate sno -N 3", 'unknown option "-N"; did you mean -n?'],
    ["generate sno -count 3", 'unknown option "-count"; did you mean --count?'],
    ["generate nanoflake --generatorId 3", 'unknown option "--generatorId"; did you mean --generator-id?'],
    ["generate twitter --worker 3", 'unknown option "--worker"; did you mean --worker-id?'],
    [
      "generate snowflake --epoch 0 --fields time:41,region:4,sequence:12 --regoin 3",
      'unknown option "--regoin"; did you mean --region?',
    ],
    [`inspect --formt discord ${known}`, 'unknown option "--formt"; did you mean --format?'],
    ["inspect -f nanoflake --epcoh 0 7", 'unknown option "--epcoh"; did you mean --epoch?'],
    ["convert discord --too hex 7", 'unknown option "--too"; did you mean --to?'],
    ["compose discord --time 0 --incremnt 3", 'unknown option "--incremnt"; did you mean --increment?'],
    ["range snowflake-si --epoc 0 0 1", 'unknown option "--epoc"; did you mean --epoch?'],
    // Forms.
    ["convert discord --to decimla 7", '--to: unknown form "decimla"; did you mean decimal?'],
  ];
  for (const [line, message] of meant) it(line, () => says(words(line), message));

  const unlike: [string, string][] = [
    ["frobnicate", 'unknown command "frobnicate"'],
    ["x", 'unknown command "x"'],
    ["generate xxo", 'unknown format "xxo"; there are sno, '],
    ["generate twxxxer", 'unknown format "twxxxer"; there are sno, '],
    ["generate snowball", 'unknown format "snowball"; there are sno, '],
    ["--frobnicate", 'unknown option "--frobnicate"'],
    ["generate sno -x", 'unknown option "-x"'],
    // Similar options of another format are not suggested.
    ["generate twitter --machin-id 3", 'unknown option "--machin-id"'],
    ["range discord --epoc 0 0 1", 'unknown option "--epoc"'],
    [
      "compose snowflake --epoch 0 --fields time:41,a:2,sequence:12 --internal-worker 3",
      'unknown option "--internal-worker"',
    ],
    ["convert discord --to octal 7", '--to: unknown form "octal"; there are text, '],
  ];
  for (const [line, message] of unlike) {
    it(`no idea: ${line}`, async () => {
      const { code, out, err } = await run(words(line));
      assert.deepEqual([code, out], [2, ""]);
      assert.ok(err.startsWith(`graupel: ${message}`), err);
      assert.doesNotMatch(err, /did you mean/);
      if (!message.includes("there are")) assert.equal(linesOf(err)[0], `graupel: ${message}`);
    });
  }

  it("takes no time over a very long name", async () => {
    await refuses(["a".repeat(100_000)], /unknown command/);
  });
});

describe("values, in the words that were typed", () => {
  const count = "expected a whole number from 0 to 9007199254740991, got";
  const metabyte = "--metabyte: expected a whole number from 0 to 255, got";
  const time =
    "Unix milliseconds, or an ISO 8601 date in UTC such as 2025-01-31 or 2025-01-31T12:00:00Z, got";
  const wrong: [string, string][] = [
    ["generate sno -n -1", `-n: ${count} -1`],
    ["generate sno -n-1", `-n: ${count} -1`],
    ["generate sno --count -1", `--count: ${count} -1`],
    ["generate sno --count=-1", `--count: ${count} -1`],
    ["generate sno -n 1e3", `-n: ${count} "1e3"`],
    ["generate sno -n x", `-n: ${count} "x"`],
    ["generate sno -n=3", `-n: ${count} "=3"`],
    ["generate sno --count 9007199254740992", `--count: ${count} 9007199254740992`],
    ["generate sno --metabyte x", `${metabyte} "x"`],
    ["generate sno --metabyte -1", `${metabyte} -1`],
    ["generate sno --metabyte 256", `${metabyte} 256`],
    ["generate sno --metabyte 256 -n 0", `${metabyte} 256`],
    ["generate sno --metabyte 254.99999999999999999999", `${metabyte} 254.99999999999999999999`],
    ["generate sno --max-wait-ms soon", '--max-wait-ms: expected a number from 0 to 2147483647, got "soon"'],
    ["generate nanoflake --epoch yesterday --generator-id 1", `--epoch: expected ${time} "yesterday"`],
    ["generate nanoflake --epoch 2025-02-29 --generator-id 1", `--epoch: expected ${time} "2025-02-29"`],
    [
      "generate nanoflake --epoch 2025-01-31T12:00 --generator-id 1",
      `--epoch: expected ${time} "2025-01-31T12:00"`,
    ],
    ["generate nanoflake --epoch 1e3 --generator-id 1", `--epoch: expected ${time} "1e3"`],
    ["generate nanoflake --generator-id 1", `--epoch: expected ${time} nothing`],
    [
      "generate ulid-flake --epoch 8640000000000001",
      `--epoch: expected ${time.replace(",", " from -8640000000000000 to 8640000000000000,")} 8640000000000001`,
    ],
    [
      "generate snowflake-si --epoch 1047972019224 --machine-id 1",
      `--epoch: expected ${time.replace(",", " from 1047972019225 to 8640000000000000,")} 1047972019224`,
    ],
    ["inspect -f ulid-flake --epoch soon 7", `--epoch: expected ${time} "soon"`],
    ["inspect -f nanoflake --epoch 0 --radix x 7", '--radix: expected a whole number from 2 to 36, got "x"'],
    ["inspect -f nanoflake --epoch 0 --radix 1 7", "--radix: expected a whole number from 2 to 36, got 1"],
    ["range discord soon 1", `FROM: expected ${time} "soon"`],
    ["range discord 1 soon", `TO: expected ${time} "soon"`],
    ["compose discord --time soon", `--time: expected ${time} "soon"`],
    ["compose discord --timestamp soon", `--timestamp: expected ${time} "soon"`],
    [
      "generate snowflake --epoch 0",
      "--fields: expected names and widths such as time:41,region:4,sequence:12, got nothing",
    ],
    [
      "generate snowflake --epoch 0 --fields time:54,sequence:3",
      "--fields: expected 1 to 53 bits for time, got 54",
    ],
  ];
  for (const [line, message] of wrong) it(line, () => says(words(line), message));

  it("takes the first and the last value of each range", async () => {
    assert.equal(await succeeds(["generate", "sno", "-n", "0"]), "");
    for (const value of ["0", "255", "255.0"]) await succeeds(["generate", "sno", "--metabyte", value]);
    await succeeds([
      "generate",
      "snowflake-si",
      "--epoch",
      "1047972019225",
      "--clock-bits",
      "40",
      "--machine-id",
      "1",
      "-n",
      "0",
    ]);
    for (const radix of ["2", "36"]) {
      await succeeds(["inspect", "-f", "nanoflake", "--epoch", "-8640000000000000", "--radix", radix, "1"]);
    }
    await succeeds([
      "generate",
      "snowflake",
      "--epoch",
      "-400000000000000",
      "--fields",
      "time:53,sequence:3",
    ]);
    const child = start(["generate", "sno", "--count", "9007199254740991"]);
    child.stdout?.once("data", () => child.stdout?.destroy());
    assert.equal((await outcome(child)).code, 0);
  });

  it("keeps to the user's words where no ID can be made", async () => {
    const layout = ["--epoch", "2024-01-01", "--tick-ms", "4294967295", "--fields", "time:20,sequence:1"];
    const { code, err } = await run(["generate", "snowflake", ...layout, "--max-wait-ms", "0", "-n", "5"]);
    assert.equal(code, 1);
    assert.match(err, /--max-wait-ms/);
    assert.doesNotMatch(err, /maxWaitMs/);
  });
});
