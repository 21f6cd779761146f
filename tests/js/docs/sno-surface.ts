// Every public item of sno's reference (muyo/sno v1.2.1) with its counterpart here, from
// sno-surface.json. The page's table is generated from this list. The test evaluates each
// counterpart and fails if an expression is undefined or throws.
import { sno } from "graupel/sno";
import { run } from "../cli/run.ts";
import { emptyRegistry, type Registry, registry } from "../support/other-process.ts";
import surface from "./sno-surface.json" with { type: "json" };

/** An item of the reference, its counterparts here, and a note if they differ slightly. */
interface Item {
  readonly reference: string;
  /**
   * JavaScript expressions in the scope below, or commands in the section about the command line.
   */
  readonly here: readonly string[];
  readonly note?: string;
}

const SECTIONS: Readonly<Record<string, readonly Item[]>> = surface;
const COMMANDS = "Command line";

/** An expression as the page shows it, with errors by their code. */
function shown(code: string): string {
  const { what, part } =
    /^(?:refusal\(\(\) => (?<what>.*)\)|exhausted\(\))\.(?<part>\w+)$/.exec(code)?.groups ?? {};
  if (part === undefined) {
    return code;
  }
  return part === "code"
    ? `error.code === "${what === undefined ? "PARTITIONS_EXHAUSTED" : evaluate(code)}"`
    : `error.${part}`;
}

/** The page's table. */
export function surfaceTable(): string {
  const rows = Object.entries(SECTIONS).flatMap(([section, items]) => [
    `| **${section}** | | |`,
    ...items.map(({ reference, here, note = "" }) => {
      const codes = here.map((code) => `\`${shown(code)}\``).join(", ");
      return `| ${reference} | ${codes} | ${note} |`;
    }),
  ]);
  return ["| muyo/sno | here | |", "| --- | --- | --- |", ...rows].join("\n");
}

/** The error that a call throws. */
function refusal(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** The names that an expression may use. */
function scope(): Record<string, unknown> {
  emptyRegistry();
  const events: unknown[] = [];
  const time = Date.UTC(2030, 0, 1);
  const clock = () => time + 4_000;
  const options = { partition: 7, sequenceMin: 0, sequenceMax: 3, sequenceFull: "throw", clock } as const;
  const generator = sno.generator({ ...options, onOverflow: (event) => events.push(event) });
  const id = generator.at(time, 200);
  refusal(() => Array.from({ length: 5 }, () => generator.next()));
  const snapshot = generator.snapshot();
  // Uses a later clock, so that there is room again.
  const another = sno.generator({ ...options, clock: () => time + 8_000 });
  return {
    sno,
    generator: another,
    snapshot,
    overflow: events[0],
    onOverflow: () => undefined,
    refusal,
    exhausted,
    id,
    text: id,
    json: JSON.stringify(id),
    bytes: sno.toBytes(id),
    ids: [id, sno.zero],
    a: id,
    b: sno.zero,
    meta: 200,
    time,
  };
}

/**
 * The error if no partition is left. The registry returns the same generator for each partition,
 * because taking all of them takes seconds. (identity/partitions.test.ts does so.)
 */
function exhausted(): unknown {
  emptyRegistry();
  sno.generator({ sequenceMax: 3 }).next();
  const { states } = registry() as Registry;
  const [taken] = states.values();
  states.get = () => taken;
  const error = refusal(() => sno.generator().next());
  emptyRegistry();
  return error;
}

function evaluate(code: string): unknown {
  const names = scope();
  return new Function(...Object.keys(names), `return (${code});`)(...Object.values(names));
}

/** Describes what is wrong with a command; undefined if it succeeds and prints something. */
async function wrongWith(command: string): Promise<string | undefined> {
  const { code, out, err } = await run(command.split(" ").slice(1));
  return code === 0 && out !== "" ? undefined : `ends with ${code} and prints "${out}", "${err}"`;
}

/** The counterparts that do not exist, and the number of those that do. */
export async function missing(): Promise<{ readonly missing: readonly string[]; readonly found: number }> {
  const bad: string[] = [];
  const all = Object.entries(SECTIONS).flatMap(([section, items]) =>
    items.flatMap(({ reference, here }) => here.map((code) => ({ section, reference, code }))),
  );
  for (const { section, reference, code } of all) {
    let wrong: string | undefined;
    try {
      if (section === COMMANDS) wrong = await wrongWith(code);
      else if (evaluate(code) === undefined) wrong = "is undefined";
    } catch (error) {
      wrong = String(error);
    }
    if (wrong !== undefined) bad.push(`${reference}: ${code}: ${wrong}`);
  }
  return { missing: bad, found: all.length - bad.length };
}
