/** The output of `npm start`: generates an ID of every format and draws it. */
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
  sonyflake,
  twitter,
  ulidFlake,
  ulidFlakeScalable,
} from "../index.js";
import { draw } from "./draw.js";
import { guardStreams, write } from "./output.js";
import type { AnyFormat, Id } from "./registry.js";
import { paintFor } from "./terminal.js";

const paint = paintFor(process.stdout);
const rule = paint("dim", "─".repeat(80));

/** The source of an arrow function without its head, so that the demo shows the code that it runs. */
const codeOf = (make: unknown): string => String(make).replace(/^\(\w*\)\s*=>\s*/, "");

/** A section of the demo. `declare` returns the format, `make` generates an ID of it. */
function section<Format>(about: string, declare: () => Format, make: (ids: Format) => Id): string {
  const format = declare();
  const id = make(format);
  const [declared, made] = [codeOf(declare), codeOf(make)];
  // A ready-made format needs no line for its declaration.
  const code = made.startsWith(`${declared}.`) ? [made] : [`const ids = ${declared}`, made];
  const shown = code.map((line) => paint("green", `> ${line}`));
  return [rule, paint("italic", about), ...shown, "", draw(format as AnyFormat, id, paint), ""].join("\n");
}

const epoch = Date.UTC(2024, 0, 1);

const sections = [
  section(
    "80 bits in 16 characters, without configuration; here with metabyte 3",
    () => sno,
    () => sno.next(3),
  ),
  section(
    "63 bits, your own epoch, base 36",
    () => nanoflake({ epoch }),
    (ids) => ids.generator({ generatorId: 42 }).next(),
  ),
  section(
    "the first Snowflake",
    () => twitter,
    () => twitter.generator({ datacenterId: 11, workerId: 26 }).next(),
  ),
  section(
    "all 64 bits, as in every Discord message",
    () => discord,
    () => discord.generator({ internalWorkerId: 1, internalProcessId: 0 }).next(),
  ),
  section(
    "13 bits for the shard",
    () => instagram,
    () => instagram.generator({ shardId: 1341 }).next(),
  ),
  section(
    "48 bits of Unix milliseconds",
    () => mastodon,
    () => mastodon.generator().next(),
  ),
  section(
    "10 ms ticks and 65,536 machines, for 174 years",
    () => sonyflake,
    () => sonyflake.generator({ machineId: 258 }).next(),
  ),
  section(
    "your own layout",
    () => snowflake({ epoch, fields: { time: 41, node: 10, sequence: 12 } }),
    (ids) => ids.generator({ node: 517 }).next(),
  ),
  section(
    "53 bits: a number that JSON can hold",
    () => snowflakeSI({ epoch }),
    (ids) => ids.generator({ machineId: 3 }).next(),
  ),
  section(
    "time and random bits in 13 characters",
    () => ulidFlake,
    () => ulidFlake.next(),
  ),
  section(
    "the same, with a worker ID",
    () => ulidFlakeScalable,
    () => ulidFlakeScalable.generator({ scalability: 5 }).next(),
  ),
];

function heading(): string {
  const sizes = [paint("cyan", "·"), paint("blueBright", "•"), paint("magenta", "●")].join(" ");
  return `${sizes}  ${paint("bold", "graupel")}: a new ID of every format, with its fields\n`;
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
  return [rule, paint("bold", "Try next:"), ...lines, ""].join("\n");
}

guardStreams();
await write([heading(), ...sections, next()].join("\n"));
