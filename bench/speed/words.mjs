// The words for figures and bounds, on the terminal and in bench/README.md.

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
