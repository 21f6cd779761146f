/** The rows of a log, sorted and filtered as the reader chose. */
import type { Found } from "../find/types.ts";
import { fieldsOf, type LogRow, rowOf } from "./row.ts";

export type Column = "place" | "id" | "format" | "time" | "gap";

export interface Arrangement {
  readonly sort: Column;
  readonly down: boolean;
  /** A text that must be contained in the ID, its time or its fields. */
  readonly filter: string;
  /** The key of a format, or an empty text for all formats. */
  readonly format: string;
}

export const AS_FOUND: Arrangement = { sort: "place", down: false, filter: "", format: "" };

interface Arranged extends LogRow {
  /** The milliseconds since the previous row that the filter keeps; undefined without a time. */
  readonly gap: number | undefined;
}

/** A row of the table. */
export interface Shown extends Arranged {
  /** How often the log contains this text, and the number of this occurrence, from 1. */
  readonly times: number;
  readonly nth: number;
}

export interface Summary {
  /** How often the rows were arranged. */
  readonly arranged: number;
  readonly all: number;
  readonly shown: number;
  /** The number of different texts. */
  readonly different: number;
  /** The formats, most frequent first. */
  readonly formats: readonly { readonly key: string; readonly title: string; readonly count: number }[];
}

/** Rows without a value come last, in both directions. */
const byNumber =
  (numberOf: (row: Arranged) => number | undefined, sign: number) => (a: Arranged, b: Arranged) => {
    const [one, other] = [numberOf(a), numberOf(b)];
    if (one === undefined || other === undefined)
      return Number(one === undefined) - Number(other === undefined);
    return sign * (one - other);
  };

const byText = (textOf: (row: Arranged) => string, sign: number) => (a: Arranged, b: Arranged) => {
  const [one, other] = [textOf(a), textOf(b)];
  return one === other ? 0 : one < other ? -sign : sign;
};

/** Pads numbers, so that numbers of different lengths sort by value. */
const idKey = ({ text }: LogRow): string => (/^\d+$/.test(text) ? text.padStart(25, "0") : text);

function comparison({ sort, down }: Arrangement): (a: Arranged, b: Arranged) => number {
  const sign = down ? -1 : 1;
  switch (sort) {
    case "place":
      return byNumber(({ index }) => index, sign);
    case "id":
      return byText(idKey, sign);
    case "format":
      return byText(({ title }) => title, sign);
    case "time":
      return byNumber(({ timestamp }) => timestamp, sign);
    case "gap":
      return byNumber(({ gap }) => gap, sign);
  }
}

const isoOf = (timestamp: number | undefined): string =>
  timestamp === undefined ? "" : new Date(timestamp).toISOString();

const contains = (row: LogRow, wanted: string): boolean =>
  row.text.toLowerCase().includes(wanted) ||
  isoOf(row.timestamp).toLowerCase().replace("t", " ").includes(wanted) ||
  fieldsOf(row).includes(wanted);

/** Whether rows are in the order of the log. */
export const inOrder = ({ sort, down }: Arrangement): boolean => sort === "place" && !down;

/** Quotes a text as a cell of CSV. */
const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export class Rows {
  readonly #rows: LogRow[] = [];
  /** The rows that contain each text, by row number. */
  readonly #texts = new Map<string, number[]>();
  readonly #counts = new Map<string, { key: string; title: string; count: number }>();
  #arrangement = AS_FOUND;
  #times = 0;
  /** The rows that the filter keeps, in order; undefined until they are needed again. */
  #shown: Arranged[] | undefined;
  /** The time of the last such row that has one. */
  #before: number | undefined;

  add(found: Found): void {
    const row = rowOf(found, this.#rows.length);
    if (row === undefined) return;
    this.#rows.push(row);
    this.#count(row, 1);
    const same = this.#texts.get(row.text);
    if (same === undefined) this.#texts.set(row.text, [row.index]);
    else same.push(row.index);
    // While a long log is read in its own order, new rows go to the end, and nothing needs to be
    // arranged again.
    if (this.#shown !== undefined && inOrder(this.#arrangement)) this.#show(row, this.#shown);
    else this.#shown = undefined;
  }

  /** Replaces the reading of a row. The table shows it after the rows are arranged again. */
  replace(index: number, found: Found): void {
    const [before, row] = [this.#rows[index], rowOf(found, index)];
    if (before === undefined || row === undefined) return;
    this.#rows[index] = row;
    this.#count(before, -1);
    this.#count(row, 1);
  }

  #count({ key, title }: LogRow, by: number): void {
    const counted = this.#counts.get(key) ?? { key, title, count: 0 };
    counted.count += by;
    this.#counts.set(key, counted);
  }

  /** The row with the given position in the log. */
  row = (index: number): LogRow | undefined => this.#rows[index];

  arrange(arrangement: Arrangement): void {
    this.#arrangement = arrangement;
    this.arrangeAgain();
  }

  arrangeAgain(): void {
    this.#shown = undefined;
    this.#times += 1;
  }

  summary(): Summary {
    const counts = [...this.#counts.values()].filter(({ count }) => count > 0);
    const formats = counts.sort((a, b) => b.count - a.count).map((one) => ({ ...one }));
    const [all, shown, different] = [this.#rows.length, this.#all().length, this.#texts.size];
    return { arranged: this.#times, all, shown, different, formats };
  }

  slice(from: number, to: number): Shown[] {
    return this.#all()
      .slice(from, to)
      .map((row) => {
        const same = this.#texts.get(row.text) ?? [];
        return { ...row, times: same.length, nth: same.indexOf(row.index) + 1 };
      });
  }

  /** All rows that the filter keeps, as parts of a CSV file. */
  csv(): string[] {
    const lines = this.#all().map((row) => {
      const { index, text, title, timestamp, gap = "" } = row;
      return `${[String(index + 1), text, title, isoOf(timestamp), String(gap), fieldsOf(row)].map(cell).join(",")}\r\n`;
    });
    return ["number,id,format,time,gap in ms,fields\r\n", ...lines];
  }

  #all(): Arranged[] {
    this.#shown ??= this.#arranged();
    return this.#shown;
  }

  #arranged(): Arranged[] {
    this.#before = undefined;
    const shown: Arranged[] = [];
    for (const row of this.#rows) this.#show(row, shown);
    return inOrder(this.#arrangement) ? shown : shown.sort(comparison(this.#arrangement));
  }

  /** Adds a row to the end, if the filter keeps it. */
  #show(row: LogRow, shown: Arranged[]): void {
    const { format, filter } = this.#arrangement;
    const wanted = filter.trim().toLowerCase();
    if ((format !== "" && row.key !== format) || (wanted !== "" && !contains(row, wanted))) return;
    const { timestamp } = row;
    const before = this.#before;
    const gap = timestamp === undefined || before === undefined ? undefined : timestamp - before;
    this.#before = timestamp ?? before;
    shown.push({ ...row, gap });
  }
}
