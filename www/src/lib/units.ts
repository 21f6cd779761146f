/** Durations in milliseconds. */
export const DAY_MS = 86_400_000;
/** The average year of the Gregorian calendar. */
export const YEAR_MS = 365.2425 * DAY_MS;
