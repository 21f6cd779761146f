/** The probability that random numbers collide. */

/**
 * The probability that at least two of `drawn` numbers are equal. Each is drawn from `of` values
 * with equal chances, so this is exactly 1 - (1 - 0/of) (1 - 1/of) ... (1 - (drawn - 1)/of). A sum
 * of logarithms keeps the digits of small probabilities.
 */
export function collision(drawn: number, of: number): number {
  if (drawn > of) return 1;
  let sum = 0;
  for (let before = 1; before < drawn; before++) {
    sum += Math.log1p(-before / of);
    // Beyond this sum, the result rounds to 1.
    if (sum < -40) return 1;
  }
  // Avoid -0 for a single number.
  return 0 - Math.expm1(sum);
}

/**
 * The smallest number of draws with at least the given probability, which must be between 0 and 1.
 */
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
 * The expected number of duplicates per day if each of `processes` processes generates the given
 * number of IDs per second, and only a random number distinguishes the IDs of a millisecond. Counts
 * the pairs of IDs that different processes generate in the same millisecond. Each pair collides
 * with a probability of 1 in `of`.
 */
export function duplicatesPerDay(processes: number, perSecond: number, of: number): number {
  const pairs = (processes * (processes - 1)) / 2;
  const perMillisecond = perSecond / 1000;
  return (pairs * perMillisecond * perMillisecond * 86_400_000) / of;
}
