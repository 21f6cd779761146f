// Computes medians and quartiles, which are reliable even on a busy machine, and formats figures
// and bounds as text.

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

/** Ratios turn by turn. If both are slow in a turn, their ratio stays the same. */
export const ratio = (values, floors) => spread(values.map((value, i) => value / floors[i]));

/** Formats shares as percentages, and ratios with three digits. */
function amount(n, unit) {
  if (unit === "of the capacity") return `${(n * 100).toFixed(2)} %`;
  return n.toFixed(3);
}

/** Formats a bound, such as "1.2 F". A bound of 1 is only its unit. */
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

/**
 * The worst line of a group: the one furthest beyond its bound, or else nearest to it. Without
 * bounds, it is the slowest line.
 */
export function worst(lines) {
  const strain = ({ most, least, figure }) =>
    least === undefined ? figure.median / (most ?? 1) : least / figure.median;
  return lines.reduce((a, b) => (strain(b) > strain(a) ? b : a));
}

/** Converts an object to a row of a printed table, with the median of each spread. */
const plain = (one) => {
  const cells = Object.entries(one).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    cells.map(([key, value]) => [key, value?.median === undefined ? value : Number(value.median.toFixed(2))]),
  );
};

/** Prints a run: everything that was measured, then every target. */
export function printRun({ node, processor, plan, cases, saturated, start, targets }) {
  console.log(`\nNode ${node}, ${processor}, ${plan.rounds} turns; ns per ID, or per call that makes no ID`);
  const table = (title, all) => {
    console.log(`\n${title}`);
    console.table(all.map(plain));
  };
  for (const subject of new Set(cases.map((one) => one.subject))) {
    const own = cases.filter((one) => one.subject === subject);
    table(
      subject,
      own.map(({ operation, restless, ns, toD, toF }) => {
        const { q1, q3 } = ns;
        const [lower, upper] = [q1, q3].map((n) => Number(n.toFixed(2)));
        return { operation: operation + (restless ? " *" : ""), ns, lower, upper, D: toD, F: toF };
      }),
    );
  }
  console.log("\n* with a clock that advances a tick at each reading: a tick may not hold so many IDs");
  table("at full speed: IDs per second", saturated);
  table("start: processor time in ms, minus that of an empty script", start);
  console.log(`\ntargets on Node ${node}`);
  for (const group of new Set(targets.map((line) => line.group))) {
    console.log(`\n  ${group}`);
    for (const line of targets.filter((other) => other.group === group))
      console.log(`    ${verdict(line).padEnd(12)} ${line.name}: ${figureOf(line)}, ${boundOf(line)}`);
  }
}
