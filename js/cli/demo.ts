/** What `npm start` shows: an ID of every format, made now and taken apart. */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import {
  discord,
  instagram,
  mastodon,
  nanoflake,
  sno,
  snowflake,
  snowflakeSI,
  twitter,
  ulidFlake,
  ulidFlakeScalable,
} from "../index.js";
import { draw } from "./draw.js";
import { guardStreams, write } from "./output.js";
import type { AnyFormat, Id } from "./registry.js";
import { paintFor } from "./terminal.js";

const paint = paintFor(process.stdout);

const epoch = Date.UTC(2024, 0, 1);
const fields = { time: 41, region: 4, worker: 6, sequence: 12 } as const;
const flakes = nanoflake({ epoch });
const events = snowflake({ epoch, fields });
const orders = snowflakeSI({ epoch });

/** A sentence, the format, and the code that makes the ID: the code shown is the code run. */
const shown: readonly (readonly [string, unknown, () => Id])[] = [
  ["80 bits in 16 characters, nothing to set up; here with metabyte 3", sno, () => sno.next(3)],
  ["63 bits, an epoch of your own, base 36", flakes, () => flakes.generator({ generatorId: 42 }).next()],
  ["the first Snowflake", twitter, () => twitter.generator({ datacenterId: 11, workerId: 26 }).next()],
  [
    "all 64 bits, as in every Discord message",
    discord,
    () => discord.generator({ internalWorkerId: 1, internalProcessId: 0 }).next(),
  ],
  ["13 bits for the shard it was made in", instagram, () => instagram.generator({ shardId: 1341 }).next()],
  ["48 bits of Unix milliseconds", mastodon, () => mastodon.generator().next()],
  ["a layout of your own", events, () => events.generator({ region: 3, worker: 17 }).next()],
  ["53 bits: a number that JSON can hold", orders, () => orders.generator({ machineId: 3 }).next()],
  ["time and randomness in 13 characters", ulidFlake, () => ulidFlake.next()],
  [
    "the same, with a place for the machine that made it",
    ulidFlakeScalable,
    () => ulidFlakeScalable.generator({ scalability: 5 }).next(),
  ],
];

function heading(): string {
  const flakes = ["cyan", "blueBright", "magenta"] as const;
  const snow = ["·", "•", "●"].map((flake, i) => paint(flakes[i] ?? "cyan", flake)).join(" ");
  return `${snow}  ${paint("bold", "graupel")}: an ID of every format, made now and taken apart\n`;
}

function section([about, format, make]: (typeof shown)[number]): string {
  const code = String(make).replace(/^\(\)\s*=>\s*/, "");
  const rule = paint("dim", "─".repeat(80));
  return `${rule}\n${paint("italic", about)}\n${paint("green", `> ${code}`)}\n\n${draw(format as AnyFormat, make(), paint)}\n`;
}

function next(): string {
  const main = fileURLToPath(new URL("main.js", import.meta.url));
  const program = `node ${relative(process.cwd(), main) || main}`;
  const lines = [
    `  ${program} formats`,
    `  ${program} inspect 175928847299117063`,
    `  ${program} inspect --format discord 175928847299117063`,
    `  ${program} generate sno -n 5 --metabyte 3 --partition 7`,
    `  ${program} generate sno -n 100000 |`,
    `    ${program} inspect --format sno --json | tail -1`,
  ];
  return [paint("dim", "─".repeat(80)), paint("bold", "Try next:"), ...lines, ""].join("\n");
}

guardStreams();
await write([heading(), ...shown.map(section), next()].join("\n"));
