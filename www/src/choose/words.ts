/** Formats numbers as words. */
import type { Facts } from "./facts.ts";

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat("en", { maximumFractionDigits: 4 });
const short = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

/**
 * Rounds a number down to the given significant digits, so that a reader who needs the printed
 * number really gets it.
 */
function atMost(number: number, digits: number): number {
  const unit = 10 ** (Math.floor(Math.log10(number)) + 1 - digits);
  // A unit below 1 is inexact, so calculate with its inverse, which is a whole number.
  return unit < 1
    ? Math.floor(number * Math.round(1 / unit)) / Math.round(1 / unit)
    : Math.floor(number / unit) * unit;
}

/** A rate per second. */
export const rate = (perSecond: number): string =>
  perSecond < 10 ? short.format(atMost(perSecond, 3)) : whole.format(Math.floor(perSecond));

export const count = (number: number): string => whole.format(number);

export const years = (number: number): string => `${short.format(atMost(number, 3))} years`;

/** The year in which a format runs out, or its lifetime if the user chooses the epoch. */
export const until = ({ ownEpoch, years: left, format }: Facts): string =>
  ownEpoch ? `epoch + ${Math.floor(left)} years` : new Date(format.endOfLife).toISOString().slice(0, 10);

/** Near 100%, print two digits of the difference, because 99.95% must not become 100%. */
const percentOf = (probability: number): string =>
  probability > 0.9
    ? `${fine.format(100 - Number((100 * (1 - probability)).toPrecision(2)))} %`
    : `${short.format(100 * probability)} %`;

/** Formats a small probability as odds and a large one as a percentage. */
export function odds(probability: number): string {
  if (probability === 0) return "never";
  if (probability > 0.999_95) return "practically certain";
  const percent = percentOf(probability);
  return probability <= 0.51 ? `1 in ${whole.format(1 / probability)}, ${percent}` : percent;
}
