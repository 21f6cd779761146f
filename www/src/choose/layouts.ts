/** Which layouts are large enough for the given IDs per second, machines and years. */
import { YEAR_MS } from "../lib/units.ts";

export interface Needs {
  /** IDs per second, of each machine. */
  readonly perSecond: number;
  readonly machines: number;
  readonly years: number;
}

/** What a layout offers. */
export interface Offer {
  readonly perSecond: number;
  readonly machines: number;
  /** From now on; from the epoch on, if that is the user's own. */
  readonly years: number;
}

export type Lack = "perSecond" | "machines" | "years";

/** What an offer lacks; empty if it is large enough. */
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
  /** 0: one machine needs no field. */
  readonly worker: number;
  readonly sequence: number;
}

export interface Layout extends Widths {
  readonly tickMs: number;
}

/** What widths offer, from the epoch on. */
export const offerOf = ({ time, worker, sequence, tickMs }: Layout): Offer => ({
  perSecond: (2 ** sequence * 1000) / tickMs,
  machines: 2 ** worker,
  years: (2 ** time * tickMs) / YEAR_MS,
});

/** A signed 64-bit column has room for 63 bits. */
const MOST = 63;

/** A field of the package has at most 53 bits. */
const WIDEST = 53;

/** Ticks of 1 ms; of 10 ms only where these leave no room. */
const TICKS = [1, 10];

/** A load is seldom even: a counter gets 12 bits if there is room. */
const USUAL_SEQUENCE = 12;

/** The widths of a declared layout that is large enough; `undefined` if 63 bits are too few. */
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

/** The same for Snowflake-SI: 53 bits, of which the time takes 40 or 41. */
export function safeLayoutFor({ perSecond, machines, years }: Needs): Layout | undefined {
  const time = [40, 41].find((bits) => 2 ** bits >= years * YEAR_MS);
  if (time === undefined) return undefined;
  // The sequence has at most 13 bits, and the machine at most 12.
  const worker = bitsFor(machines);
  const sequence = 53 - time - worker;
  const enough = worker <= 12 && sequence >= 1 && 2 ** sequence * 1000 >= perSecond;
  return enough ? { time, worker, sequence, tickMs: 1 } : undefined;
}
