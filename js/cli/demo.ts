/** The output of `npm start`: generates an ID of every format and draws it. */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { FormatFacts, FormatName } from "../facts.js";
import type { AnyId } from "../index.js";
import { listed } from "./choices.js";
import { draw } from "./draw.js";
import { make } from "./format.js";
import { guardStreams, write } from "./output.js";
import { paintFor } from "./terminal.js";
import words from "./words.json" with { type: "json" };

const paint = paintFor(process.stdout);
const rule = paint("dim", "─".repeat(80));

/** The epoch of the examples. */
const epoch = Date.UTC(2024, 0, 1);

/** The description of a format, and its example. */
interface Example {
  readonly about: string;
  /** The declaration of the example, without the epoch. */
  readonly declaration?: Readonly<Record<string, unknown>>;
  /** The options of the example's generator. Without them, the format itself generates the ID. */
  readonly options?: Readonly<Record<string, number>>;
  /** The argument of `next`. */
  readonly call?: number;
}

const examples: Readonly<Partial<Record<FormatName, Example>>> = words.formats;

/** Values as code. `epoch` stands for the epoch of the examples. */
function codeOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  const parts = Object.entries(value).map(([key, part]) =>
    key === "epoch" ? key : `${key}: ${codeOf(part)}`,
  );
  return parts.length > 0 ? `{ ${parts.join(", ")} }` : "";
}

/** A section of the demo: the code, and the ID that it generates. */
function section(facts: FormatFacts): string {
  const said = examples[facts.name];
  if (said === undefined) throw new Error(`words.json has no entry for ${facts.name}`);
  const { about, options, call } = said;
  const declaration = facts.declared ? { epoch, ...said.declaration } : {};
  const format = make(facts, declaration);
  // A ready-made format needs no line for its declaration.
  const ids = facts.declared ? "ids" : facts.export;
  const declared = facts.declared ? [`const ids = ${facts.export}(${codeOf(declaration)})`] : [];
  const source = options === undefined ? ids : `${ids}.generator(${codeOf(options)})`;
  const generator = options === undefined ? format : format.generator(options);
  const id = (generator as { next(call?: number): AnyId }).next(call);
  const lines = [...declared, `${source}.next(${call ?? ""})`].map((line) => paint("green", `> ${line}`));
  return [rule, paint("italic", about), ...lines, "", draw(format, id, paint), ""].join("\n");
}

const sections = listed.map(section);

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
