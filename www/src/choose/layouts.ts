/** Finds the layouts that are large enough for the given IDs per second, machines and years. */
import { YEAR_MS } from "../lib/units.ts";

export interface Needs {
  /** The IDs per second of each machine. */
  readonly perSecond: number;
  readonly machines: number;
  readonly years: number;
}

/** The limits of a layout. */
export interface Offer {
  readonly perSecond: number;
  readonly machines: number;
  /** The years left from now, or from the epoch if the user chooses the epoch. */
  readonly years: number;
}

export type Lack = "perSecond" | "machines" | "years";

/** The needs that an offer does not meet; empty if it is large enough. */
export const lacksOf = (needs: Needs, offer: Offer): Lack[] =>
  (["perSecond", "machines", "years"] as const).filter((key) => offer[key] < needs[key]);

/** The width of a field that holds the given number of values. */
export function bitsFor(values: number): number {
  let bits = 0;
  while (2 ** bits < values) bits++;
  return bits;
}

export interface Widths {
  readonly time: number;
  /** The width of the worker field; 0 if there is only one machine. */
  readonly worker: number;
  readonly sequence: number;
}

export interface Layout extends Widths {
  readonly tickMs: number;
}

/** The limits of a layout with these widths. Its years count from the epoch. */
export const offerOf = ({ time, worker, sequence, tickMs }: Layout): Offer => ({
  perSecond: (2 ** sequence * 1000) / tickMs,
  machines: 2 ** worker,
  years: (2 ** time * tickMs) / YEAR_MS,
});

/** A signed 64-bit column has 63 bits for the ID. */
const MOST = 63;

/** The widest field that the package allows. */
const WIDEST = 53;

/**
 * The lengths of a tick in milliseconds. Ticks of 10 ms are used only if ticks of 1 ms do not fit.
 */
const TICKS = [1, 10];

/** A load is rarely even, so the sequence gets 12 bits if there is room. */
const USUAL_SEQUENCE = 12;

/** The widths of a declared layout that is large enough; `undefined` if 63 bits do not suffice. */
export function layoutFor({ perSecond, machines, years }: Needs): Layout | undefined {
  for (const tickMs of TICKS) {
    const time = Math.max(1, bitsFor((years * YEAR_MS) / tickMs));
    const worker = bitsFor(machines);
    const needed = Math.max(1, bitsFor((perSecond * tickMs) / 1000));
    const room = MOST - time - worker;
    if (time > WIDEST || worker > WIDEST || needed > WIDEST || needed > room) continue;
    return { time, worker, sequence: Math.max(needed, Math.min(USUAL_SEQUENCE, room)), tickMs };
  }
  return undefined;
}

/**
 * The widths of a Snowflake-SI layout that is large enough. Its 53 bits include a time of 40 or 41
 * bits.
 */
export function safeLayoutFor({ perSecond, machines, years }: Needs): Layout | undefined {
  const time = [40, 41].find((bits) => 2 ** bits >= years * YEAR_MS);
  if (time === undefined) return undefined;
  // The sequence has at most 13 bits, and the machine at most 12.
  const worker = bitsFor(machines);
  const sequence = 53 - time - worker;
  const enough = worker <= 12 && sequence >= 1 && 2 ** sequence * 1000 >= perSecond;
  return enough ? { time, worker, sequence, tickMs: 1 } : undefined;
}
