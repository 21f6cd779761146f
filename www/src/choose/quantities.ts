/** Parses numbers as people write them and as this page prints them: with commas and units. */
import type { Needs } from "./layouts.ts";

/** Groups of three digits may be separated by commas, spaces, apostrophes and underscores. */
const NUMBER = String.raw`\d{1,3}(?:[,'_\s]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?`;

/** The units that may follow a number. */
const UNITS: Readonly<Record<keyof Needs, string>> = {
  perSecond: String.raw`(?:IDs?\s*)?(?:per second|a second|\/\s*s(?:econd)?)|IDs?`,
  machines: "machines?|processes|process|workers?",
  years: "years?|y",
};

const numberIn = (text: string): number => Number(text.replaceAll(/[,'_\s]/g, ""));

/** The number in a text, with or without its unit; `undefined` if the text is not a number. */
export function quantityOf(key: keyof Needs, text: string): number | undefined {
  const found = new RegExp(`^(?:about\\s+)?(${NUMBER})\\s*(?:${UNITS[key]})?$`, "i").exec(text.trim());
  return found?.[1] === undefined ? undefined : numberIn(found[1]);
}

/** All quantities in a text, such as a line that this page has printed. */
export function quantitiesIn(text: string): Partial<Record<keyof Needs, string>> {
  const found: Partial<Record<keyof Needs, string>> = {};
  for (const key of ["perSecond", "machines", "years"] as const) {
    const number = new RegExp(`(${NUMBER})\\s*(?:${UNITS[key]})(?![\\w/])`, "i").exec(text)?.[1];
    if (number !== undefined) found[key] = String(numberIn(number));
  }
  if (/\bno machine numbers\b/i.test(text)) found.machines = "1";
  return Object.keys(found).length > 1 ? found : {};
}
