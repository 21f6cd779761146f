// What `npm run bench -- --chart` writes: the figures, the chart drawn from them, and the README's section.

import { writeFileSync } from "node:fs";
import { fromRoot } from "../../xtask/lib/process.mjs";
import { writeSection } from "../section.mjs";
import { chart } from "./chart.mjs";
import { boundOf, figureOf, isTarget, verdict, worst } from "./words.mjs";

/** A group of targets on one Node: the worst of its lines. */
function cell(targets, group) {
  const lines = targets.filter((line) => line.group === group);
  const at = worst(lines);
  const reached = lines.filter((line) => line.reached || !isTarget(line)).length;
  const said =
    reached === lines.length
      ? verdict(at)
      : `**not reached** by ${lines.length - reached} of ${lines.length}`;
  return `${said}: ${figureOf(at)}${lines.length > 1 ? ` (${at.name})` : ""}`;
}

function table(runs) {
  const groups = [...new Set(runs[0].targets.map((line) => line.group))];
  const rows = groups.map((group) => {
    const bound = boundOf(runs[0].targets.find((line) => line.group === group));
    return [group, bound, ...runs.map(({ targets }) => cell(targets, group))];
  });
  const head = ["", "target", ...runs.map(({ node }) => `Node ${node}`)];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The README's section. */
export const section = ({ runs }) => `\
Machines differ, and so does one machine from minute to minute: so everything runs in one process, in rounds, and is put in
relation to what was measured beside it. **D** is one \`Date.now()\`. **F**, the floor of a result, is a clock reading, one call
into a trivial WebAssembly module, and the engine's own making of that number, BigInt or flat text.
[bench/README.md](bench/README.md) tells the method.

\`\`\`sh
npm run bench                                     # prints every figure; with -- --chart it writes this section
\`\`\`

<img src="www/docs/bench.svg" alt="What a call of graupel and of other packages costs, in readings of the clock">

${table(runs)}

Each cell has the worst of its lines, and who it is; *beside* a package, the part of its time that graupel takes.
[bench.json](www/docs/bench.json) has every figure of this run.`;

/** Writes all three. */
export function writePages(figures) {
  const pages = fromRoot("www", "docs");
  writeFileSync(`${pages}/bench.json`, `${JSON.stringify(figures)}\n`);
  writeFileSync(`${pages}/bench.svg`, chart(figures));
  writeSection("bench", section(figures));
}
