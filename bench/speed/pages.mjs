// What `npm run bench -- --chart` writes: the figures, the chart of them, and the section in the README.

import { writeFileSync } from "node:fs";
import { fromRoot } from "../../xtask/lib/process.mjs";
import { writeSection } from "../../xtask/lib/section.mjs";
import { chart } from "./chart.mjs";
import { boundOf, figureOf, isTarget, verdict, worst } from "./words.mjs";

/** A group of targets on one Node version: its worst line. */
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

/** The section in the README. */
export const section = ({ runs }) => `\
Absolute times depend on the machine, and change from one minute to the next. So everything runs in one process, in rounds, and
is compared with what was measured in the same round. **D** is the time of one \`Date.now()\`. **F**, the floor of a result, is
the time of a clock reading, one call into a trivial WebAssembly module, and the engine's creation of that number, BigInt or flat
text. [bench/README.md](bench/README.md) describes the method.

\`\`\`sh
npm run bench                                     # prints every figure; with -- --chart it writes this section
\`\`\`

<img src="www/docs/bench.svg" alt="Time of one call of graupel and of other packages, in units of Date.now()">

${table(runs)}

Each cell shows the worst line of its group, and its name. *beside* a package: graupel's time divided by the package's time.
[bench.json](www/docs/bench.json) has every figure of this run.`;

/** Writes the figures, the chart and the section. */
export function writePages(figures) {
  const pages = fromRoot("www", "docs");
  writeFileSync(`${pages}/bench.json`, `${JSON.stringify(figures)}\n`);
  writeFileSync(`${pages}/bench.svg`, chart(figures));
  writeSection("bench", section(figures));
}
