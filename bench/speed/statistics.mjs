// Medians and quartiles: reliable also on a machine that does other work.

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

export const median = (values) => spread(values).median;

/** Ratios round by round: what slows both down in a round does not change their ratio. */
export const ratio = (values, floors) => spread(values.map((value, i) => value / floors[i]));
