/** How likely it is that numbers drawn at random are not all different. */

/**
 * The probability that at least two of `drawn` numbers are equal, each drawn from `of` with equal
 * chances: exactly 1 - (1 - 0/of) (1 - 1/of) ... (1 - (drawn - 1)/of). It is computed as a sum of
 * logarithms, which keeps the digits of small probabilities.
 */
export function collision(drawn: number, of: number): number {
  if (drawn > of) return 1;
  let sum = 0;
  for (let before = 1; before < drawn; before++) {
    sum += Math.log1p(-before / of);
    // From here on, a double is 1.
    if (sum < -40) return 1;
  }
  // Not -0 for a single number.
  return 0 - Math.expm1(sum);
}

/** The smallest number of draws with at least that probability, which is more than 0 and less than 1. */
export function drawsFor(probability: number, of: number): number {
  let sum = 0;
  const wanted = Math.log1p(-probability);
  let drawn = 1;
  while (drawn <= of && sum > wanted) {
    sum += Math.log1p(-drawn / of);
    drawn++;
  }
  return drawn;
}

/**
 * The expected number of duplicates in a day, if `processes` processes each generate the given
 * number of IDs per second, and only random numbers distinguish the IDs of a millisecond: the pairs
 * of IDs that different processes generate in one millisecond, each equal with odds of 1 in `of`.
 */
export function duplicatesPerDay(processes: number, perSecond: number, of: number): number {
  const pairs = (processes * (processes - 1)) / 2;
  const perMillisecond = perSecond / 1000;
  return (pairs * perMillisecond * perMillisecond * 86_400_000) / of;
}
