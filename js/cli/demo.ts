/** The output of `npm start`: generates an ID of every format and draws it. */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { draw } from "./draw.js";
import { guardStreams, write } from "./output.js";
import { registry, type Shown } from "./registry.js";
import { paintFor } from "./terminal.js";

const paint = paintFor(process.stdout);
const rule = paint("dim", "─".repeat(80));

/** The source of an arrow function without its head, so that the demo shows the code that it runs. */
const codeOf = (make: unknown): string => String(make).replace(/^\(\w*\)\s*=>\s*/, "");

/** A section of the demo. */
function section({ about, declare, make }: Shown): string {
  const format = declare();
  const id = make(format);
  const [declared, made] = [codeOf(declare), codeOf(make)];
  // A ready-made format needs no line for its declaration.
  const code = made.startsWith(`${declared}.`) ? [made] : [`const ids = ${declared}`, made];
  const lines = code.map((line) => paint("green", `> ${line}`));
  return [rule, paint("italic", about), ...lines, "", draw(format, id, paint), ""].join("\n");
}

const sections = [...registry.values()].map(({ shown }) => section(shown));

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
