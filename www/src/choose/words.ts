/** Numbers in words. */
import type { Facts } from "./facts.ts";

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

/** A number per second. */
export const rate = (perSecond: number): string => (perSecond < 10 ? short : whole).format(perSecond);

export const count = (number: number): string => whole.format(number);

export const years = (number: number): string => `${short.format(number)} years`;

/** When a format ends. */
export const until = ({ ownEpoch, years: left, format }: Facts): string =>
  ownEpoch ? `epoch + ${Math.floor(left)} years` : new Date(format.endOfLife).toISOString().slice(0, 10);

/** A probability: as odds where it is small, in percent where it is not. */
export function odds(probability: number): string {
  if (probability === 0) return "never";
  if (probability > 0.999_95) return "practically certain";
  const percent = `${short.format(100 * probability)} %`;
  return probability <= 0.51 ? `1 in ${whole.format(1 / probability)}, ${percent}` : percent;
}
