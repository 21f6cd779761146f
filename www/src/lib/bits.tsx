/** The bits of an ID in rows, field by field; each can be turned with the mouse or the keyboard. */
import type { Layout } from "graupel";
import { useEffect, useRef, useState } from "preact/hooks";
import "./bits.css";
import { type Kind, kindOf } from "./kinds.ts";

/** A field with its place. Bits count from 0 at the right. */
export interface Place {
  readonly name: string;
  readonly kind: Kind;
  readonly high: number;
  readonly low: number;
}

/** The places of a layout's fields, high to low. */
export function placesOf({ fields }: Layout): Place[] {
  let next = fields.reduce((sum, { bits }) => sum + bits, 0) - 1;
  return fields.map(({ name, bits }) => {
    const high = next;
    next -= bits;
    return { name, kind: kindOf(name), high, low: next + 1 };
  });
}

/** Adjacent bits of one field, or of none, in one row. */
interface Segment {
  readonly place: Place | undefined;
  readonly high: number;
  readonly low: number;
}

function segmentsOf(high: number, low: number, places: readonly Place[]): Segment[] {
  const found: Segment[] = [];
  for (let bit = high; bit >= low; ) {
    const place = places.find((one) => one.high >= bit && one.low <= bit);
    const end = Math.max(low, place?.low ?? (places[0]?.high ?? -1) + 1);
    found.push({ place, high: bit, low: end });
    bit = end - 1;
  }
  return found;
}

/** From so wide a window on, a row has 32 bits; below, 16. */
const WIDE = "(min-width: 46rem)";

function useRowLength(): number {
  const [wide, setWide] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const query = matchMedia(WIDE);
    const change = () => setWide(query.matches);
    query.addEventListener("change", change);
    return () => query.removeEventListener("change", change);
  }, []);
  return wide ? 32 : 16;
}

/** How far each key moves, in bits to the left; rows are added by the drawing. */
const MOVES: Readonly<Record<string, (row: number) => number>> = {
  ArrowLeft: () => 1,
  ArrowRight: () => -1,
  ArrowUp: (row) => row,
  ArrowDown: (row) => -row,
};

interface Properties {
  readonly layout: Layout;
  readonly integer: bigint;
  /** The number of bits of its bytes: those above the layout belong to no field. */
  readonly width: number;
  /** A field that is pointed out. */
  readonly marked?: string | undefined;
  readonly onTurn: (bit: number) => void;
}

export function Bits({ layout, integer, width, marked, onTurn }: Properties) {
  const row = useRowLength();
  const places = placesOf(layout);
  // Only one bit is in the order of the tab key; arrows lead to the others.
  const [at, setAt] = useState(width - 1);
  const table = useRef<HTMLFieldSetElement>(null);
  const go = (bit: number) => {
    if (bit < 0 || bit >= width) return;
    setAt(bit);
    table.current?.querySelector<HTMLButtonElement>(`[data-bit="${bit}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = MOVES[event.key]?.(row);
    if (move === undefined) return;
    event.preventDefault();
    go(at + move);
  };
  const rows: number[] = [];
  for (let high = width - 1; high >= 0; high -= (high % row) + 1) rows.push(high);
  return (
    <fieldset class="bits" ref={table} onKeyDown={onKeyDown}>
      <legend class="visually-hidden">Bits, high to low: arrows move, the space bar turns one</legend>
      {rows.map((high) => (
        <Row
          key={high}
          {...{ high, row, integer, at, marked, onTurn, setAt }}
          segments={segmentsOf(high, high - (high % row), places)}
        />
      ))}
    </fieldset>
  );
}

interface RowProperties {
  readonly high: number;
  readonly row: number;
  readonly integer: bigint;
  readonly at: number;
  readonly marked: string | undefined;
  readonly segments: readonly Segment[];
  readonly onTurn: (bit: number) => void;
  readonly setAt: (bit: number) => void;
}

function Row({ high, row, integer, at, marked, segments, onTurn, setAt }: RowProperties) {
  return (
    <div class="bits-row" style={{ "--bits": String(row) }}>
      <span class="bits-number" aria-hidden="true">
        {high}
      </span>
      <div class="bits-cells">
        {segments.map(({ place, high: first, low }, index) => (
          <div
            key={first}
            class={`bits-segment kind-${place?.kind ?? "unused"}${place !== undefined && place.name === marked ? " marked" : ""}`}
            style={{
              gridColumn: `${index === 0 ? row - (first % row) : "auto"} / span ${first - low + 1}`,
              "--own": String(first - low + 1),
            }}
          >
            <div class="bits-digits">
              {Array.from({ length: first - low + 1 }, (_, i) => {
                const bit = first - i;
                const on = (integer >> BigInt(bit)) & 1n;
                return (
                  <button
                    key={bit}
                    type="button"
                    class={on ? "one" : "zero"}
                    data-bit={bit}
                    tabIndex={bit === at ? 0 : -1}
                    aria-pressed={Boolean(on)}
                    aria-label={`Bit ${bit}, ${place?.name ?? "no field"}: ${on ? 1 : 0}`}
                    onClick={() => onTurn(bit)}
                    onFocus={() => setAt(bit)}
                  >
                    {String(on)}
                  </button>
                );
              })}
            </div>
            <div class="bits-name">{place?.name ?? ""}</div>
          </div>
        ))}
      </div>
    </div>
  );
}
