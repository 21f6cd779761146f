// Medians and quartiles, which are reliable also on a machine that does other work; and the words for figures and bounds.

/** The quantile `p` of sorted values, interpolated. */
function quantile(sorted, p) {
  const at = (sorted.length - 1) * p;
  const low = sorted[Math.floor(at)];
  return low + (sorted[Math.ceil(at)] - low) * (at - Math.floor(at));
}

export function spread(values) {
  const sorted = Float64Array.from(values).sort();
  return { median: quantile(sorted, 0.5), q1: quantile(sorted, 0.25), q3: quantile(sorted, 0.75) };
}

/** Ratios turn by turn: what slows both down in a turn does not change their ratio. */
export const ratio = (values, floors) => spread(values.map((value, i) => value / floors[i]));

/** Shares in per cent, milliseconds with one digit, ratios with three. */
function amount(n, unit) {
  if (unit === "of the capacity") return `${(n * 100).toFixed(2)} %`;
  return unit === "ms" ? `${n.toFixed(1)} ms` : n.toFixed(3);
}

/** A bound: "1.2 F"; a bound of 1 is only its unit. */
function limit(n, unit) {
  if (unit === "of the capacity") return `${n * 100} %`;
  return n === 1 ? unit : `${n} ${unit}`;
}

/** A figure without a bound is only shown. */
export const isTarget = ({ most, least }) => most !== undefined || least !== undefined;

export const figureOf = ({ figure, unit }) => amount(figure.median, unit);

export function boundOf({ most, least, unit }) {
  if (most !== undefined) return `at most ${limit(most, unit)}`;
  return least === undefined ? `in ${unit}, no target` : `at least ${limit(least, unit)}`;
}

export function verdict(line) {
  if (!isTarget(line)) return "shown";
  return line.reached ? "reached" : "not reached";
}

/** A group's worst line: furthest beyond its bound, or nearest to it. Without a bound: the slowest. */
export function worst(lines) {
  const strain = ({ most, least, figure }) =>
    least === undefined ? figure.median / (most ?? 1) : least / figure.median;
  return lines.reduce((a, b) => (strain(b) > strain(a) ? b : a));
}

const rounded = (n, digits = 2) => Number(n.toFixed(digits));

/** Prints one run: everything measured, then every target. */
export function printRun({ node, processor, plan, cases, saturated, queued, start, targets }) {
  console.log(`\nNode ${node}, ${processor}, ${plan.rounds} turns; ns per ID, or per call that makes no ID`);
  const table = (title, rows) => {
    console.log(`\n${title}`);
    console.table(Object.fromEntries(rows));
  };
  for (const subject of new Set(cases.map((one) => one.subject))) {
    const own = cases.filter((one) => one.subject === subject);
    const row = ({ operation, restless, ns, toD, toF }) => [
      `${operation}${restless ? " *" : ""}`,
      {
        ns: rounded(ns.median, 1),
        "lower quartile": rounded(ns.q1, 1),
        "upper quartile": rounded(ns.q3, 1),
        D: rounded(toD.median),
        F: toF ? rounded(toF.median) : "",
      },
    ];
    table(subject, own.map(row));
  }
  console.log("\n* with a clock that advances a tick at each reading: a tick may not hold so many IDs");
  const perSecond = ({ subject, operation, capacity, perSecond, windows }) => [
    `${subject} ${operation}`,
    {
      "IDs/s": Math.round(perSecond.median),
      "of capacity, %": capacity ? rounded((perSecond.median / capacity) * 100) : "",
      ...windows,
    },
  ];
  table("at full speed", saturated.map(perSecond));
  const queue = ({ subject, calls, own, loop, all, longest }) => [
    `${subject}, ${calls} at once`,
    {
      "calling, ms": rounded(loop.median, 1),
      "all settled, ms": rounded(all.median, 1),
      "format's own, ms": rounded(own, 1),
      "longest block, ms": rounded(longest.median, 1),
    },
  ];
  table("nextAsync under load", queued.map(queue));
  const started = ({ entry, wall, cpu, toNanoid }) => [
    entry,
    {
      "elapsed ms": rounded(wall.median, 1),
      "processor ms": rounded(cpu.median, 1),
      "of nanoid": toNanoid ? rounded(toNanoid.median) : "",
    },
  ];
  table("start, minus an empty script", start.map(started));
  console.log(`\ntargets on Node ${node}`);
  for (const group of new Set(targets.map((line) => line.group))) {
    console.log(`\n  ${group}`);
    for (const line of targets.filter((other) => other.group === group))
      console.log(`    ${verdict(line).padEnd(12)} ${line.name}: ${figureOf(line)}, ${boundOf(line)}`);
  }
}
