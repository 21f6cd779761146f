/**
 * Draws the bits of an ID in rows, with the value of each field. Readers can flip each bit with the
 * mouse or the keyboard.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import "./bits.css";
import { type Place, rowsOf, type Segment } from "./places.ts";

/** The label below the bits of a field. */
export interface Label {
  readonly words: string;
  readonly value: string;
  /** The value before it was changed. */
  readonly before: string | undefined;
}

/** Windows of at least this width show long rows. Narrower windows show rows of 16 bits. */
const WIDE = "(min-width: 46rem)";

function useIsWide(): boolean {
  const [isWide, setWide] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const query = matchMedia(WIDE);
    const change = () => setWide(query.matches);
    query.addEventListener("change", change);
    return () => query.removeEventListener("change", change);
  }, []);
  return isWide;
}

/**
 * Rows have 40 bits if the ID's bits fill them evenly. In sno, a field begins at each of these
 * rows.
 */
const rowLength = (width: number, isWide: boolean): number => (isWide ? (width % 40 === 0 ? 40 : 32) : 16);

/** Fields with fewer bits have no room for a label, so the bits themselves show the value. */
const LABELLED = 3;

/** The bit that each key moves the focus to. */
const MOVES: Readonly<Record<string, (at: number, row: number, width: number) => number>> = {
  ArrowLeft: (at) => at + 1,
  ArrowRight: (at) => at - 1,
  ArrowUp: (at, row) => at + row,
  ArrowDown: (at, row) => at - row,
  Home: (_at, _row, width) => width - 1,
  End: () => 0,
};

interface Properties {
  readonly places: readonly Place[];
  readonly integer: bigint;
  /** The ID before the change. */
  readonly before: bigint | undefined;
  /** The number of bits in the ID's bytes. Bits above the fields belong to no field. */
  readonly width: number;
  readonly labelOf: (field: string) => Label;
  /** The highlighted field, and the function that highlights one. */
  readonly marked: string | undefined;
  readonly onMark: (field: string | undefined) => void;
  /** Flips a bit. Without this function, the bits are read-only. */
  readonly onTurn: ((bit: number) => void) | undefined;
}

export function Bits(properties: Properties) {
  const { places, width, labelOf, onTurn } = properties;
  const row = rowLength(width, useIsWide());
  // The tab key reaches only one bit. The arrow keys lead to the others.
  const [last, setAt] = useState(width - 1);
  const at = Math.min(last, width - 1);
  const table = useRef<HTMLFieldSetElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const bit = MOVES[event.key]?.(at, row, width);
    if (bit === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (bit < 0 || bit >= width) return;
    setAt(bit);
    table.current?.querySelector<HTMLButtonElement>(`[data-bit="${bit}"]`)?.focus();
  };
  const rows = rowsOf(width, row, places).map((segments) => (
    <BitRow key={segments[0]?.high} {...properties} {...{ segments, row, at, setAt }} />
  ));
  if (onTurn === undefined) {
    const names = places.map(({ name, high, low }) => `${labelOf(name).words} ${high - low + 1}`).join(", ");
    return (
      <div class="bits" role="img" aria-label={`${width} bits: ${names}`}>
        {rows}
      </div>
    );
  }
  return (
    <fieldset class="bits" ref={table} onKeyDown={onKeyDown}>
      <legend class="visually-hidden">
        Bits, from high to low. The arrow keys, Home and End move; the space bar toggles a bit.
      </legend>
      {rows}
    </fieldset>
  );
}

interface BitRowProperties extends Properties {
  readonly segments: readonly Segment[];
  readonly row: number;
  readonly at: number;
  readonly setAt: (bit: number) => void;
}

function BitRow(properties: BitRowProperties) {
  const { segments, row } = properties;
  return (
    <div class="bits-row" style={{ "--bits": String(row) }}>
      <span class="bits-number" aria-hidden="true">
        {segments[0]?.high}
      </span>
      <div class="bits-cells">
        {segments.map((segment, index) => (
          <SegmentView
            key={segment.high}
            {...properties}
            segment={segment}
            column={index === 0 ? row - (segment.high % row) : undefined}
          />
        ))}
      </div>
    </div>
  );
}

interface SegmentProperties extends BitRowProperties {
  readonly segment: Segment;
  /** The column in which the row begins. */
  readonly column: number | undefined;
}

function SegmentView({ segment, column, labelOf, marked, onMark, ...shared }: SegmentProperties) {
  const { place, high, low, isNamed } = segment;
  const name = place?.name;
  const label = name === undefined ? undefined : labelOf(name);
  const bits = high - low + 1;
  const isMarked = name !== undefined && name === marked;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: highlights the field, like the focus on its bits
    <div
      class={`bits-segment kind-${place?.kind ?? "unused"}${isMarked ? " marked" : ""}`}
      style={{ gridColumn: `${column ?? "auto"} / span ${bits}`, "--own": String(bits) }}
      title={label?.words}
      onMouseEnter={() => onMark(name)}
      onMouseLeave={() => onMark(undefined)}
    >
      <div class="bits-digits">
        {Array.from({ length: bits }, (_, i) => (
          <Bit key={high - i} bit={high - i} field={name} words={label?.words} onMark={onMark} {...shared} />
        ))}
      </div>
      {isNamed && label !== undefined && bits >= LABELLED && <LabelView {...label} />}
    </div>
  );
}

function LabelView({ words, value, before }: Label) {
  return (
    <div class="bits-label">
      <div class="bits-value">
        {before !== undefined && (
          <>
            <del>{before}</del>{" "}
          </>
        )}
        <span>{value}</span>
      </div>
      <div class="bits-name">{words}</div>
    </div>
  );
}

interface BitProperties
  extends Pick<Properties, "integer" | "before" | "onTurn" | "onMark">,
    Pick<BitRowProperties, "at" | "setAt"> {
  readonly bit: number;
  readonly field: string | undefined;
  /** The name of the field. */
  readonly words: string | undefined;
}

function Bit({ bit, field, words, integer, before, at, setAt, onTurn, onMark }: BitProperties) {
  const digitOf = (whole: bigint) => Number((whole >> BigInt(bit)) & 1n);
  const value = digitOf(integer);
  const isChanged = before !== undefined && digitOf(before) !== value;
  const look = `${value === 1 ? "one" : "zero"}${isChanged ? " changed" : ""}`;
  if (onTurn === undefined)
    return (
      <span class={look} data-bit={bit}>
        {value}
      </span>
    );
  const change = () => {
    // WebKit does not focus a button on click.
    setAt(bit);
    onTurn(bit);
  };
  return (
    <button
      type="button"
      class={look}
      data-bit={bit}
      tabIndex={bit === at ? 0 : -1}
      aria-pressed={value === 1}
      aria-label={`Bit ${bit}, ${words ?? "no field"}: ${value}${isChanged ? ", changed" : ""}`}
      onClick={change}
      onFocus={() => {
        setAt(bit);
        onMark(field);
      }}
      onBlur={() => onMark(undefined)}
    >
      {value}
    </button>
  );
}
