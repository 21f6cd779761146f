/** Counts of events, for the table at the end, and to show that every kind has happened. */
import { KINDS, type Kind } from "./finding.ts";

/** Calls by kind. */
export const CALLS = [
  "next",
  "nextText",
  "nextMany",
  "nextManyText",
  "nextTyped",
  "nextAsync",
  "at",
  "snapshot",
  "restore",
  "restart",
] as const;
export type Call = (typeof CALLS)[number];

/** Events. `clocks`: IDs made with another clock than the one before; `apart`: IDs of isolated generators. */
export const EVENTS = [
  "waits",
  "full",
  "back",
  "held",
  "borrowed",
  "toggled",
  "callbacks",
  "aborted",
  "crashed",
  "clocks",
  "spent",
  "apart",
] as const;
export type Event = (typeof EVENTS)[number];

const zeros = <K extends string>(keys: readonly K[]) =>
  Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;

export class Tally {
  ids = 0;
  stories = 0;
  /** The caller's own errors that came through unchanged. */
  own = 0;
  readonly calls = zeros(CALLS);
  readonly events = zeros(EVENTS);
  readonly findings = zeros<Kind>(KINDS);
  readonly errors: Record<string, number> = {};
  /** Pairs of policies that made IDs. */
  readonly policies = new Set<string>();

  /** The share of calls for one ID among all calls. */
  get singles(): number {
    const { next, nextText, nextMany, nextManyText, nextTyped, nextAsync, at } = this.calls;
    const singles = next + nextText + nextAsync + at;
    return singles / Math.max(1, singles + nextMany + nextManyText + nextTyped);
  }

  get found(): number {
    return KINDS.reduce((sum, kind) => sum + this.findings[kind], 0);
  }
}

const grouped = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

/** Aligned columns, numbers to the right. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join("  "),
    )
    .join("\n");
}

const numbers = (name: string, cells: readonly number[]) => [name, ...cells.map(grouped)];

/** Everything, by format. */
export function report(tallies: ReadonlyMap<string, Tally>): string {
  const all = [...tallies];
  const codes = [...new Set(all.flatMap(([, tally]) => Object.keys(tally.errors)))].sort();
  const calls = aligned([
    ["calls", ...CALLS, "singles"],
    ...all.map(([name, t]) => [
      ...numbers(
        name,
        CALLS.map((call) => t.calls[call]),
      ),
      `${(t.singles * 100).toFixed(0)} %`,
    ]),
  ]);
  const events = aligned([
    ["events", ...EVENTS, "policies"],
    ...all.map(([name, t]) => numbers(name, [...EVENTS.map((event) => t.events[event]), t.policies.size])),
  ]);
  const errors = aligned([
    ["errors", ...codes, "caller's own"],
    ...all.map(([name, t]) => numbers(name, [...codes.map((code) => t.errors[code] ?? 0), t.own])),
  ]);
  const found = aligned([
    ["found", "IDs", "stories", ...KINDS],
    ...all.map(([name, t]) => numbers(name, [t.ids, t.stories, ...KINDS.map((kind) => t.findings[kind])])),
  ]);
  return [calls, events, errors, found].join("\n\n");
}
