/** Lengths of time, in milliseconds. */
export const DAY_MS = 86_400_000;
/** A year of the Gregorian calendar, on average. */
export const YEAR_MS = 365.2425 * DAY_MS;
