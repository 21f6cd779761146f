// Medians and quartiles: what a machine with other work to do says reliably.

/** The value below which a part `p` of the sorted values lies, interpolated. */
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

/** Round by round, as machines slow down and speed up: what happens to both in a round leaves their ratio alone. */
export const ratio = (values, floors) => spread(values.map((value, i) => value / floors[i]));
