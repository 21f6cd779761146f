/** The formats, as the pages use them: whatever the type of their IDs. */
import {
  discord,
  instagram,
  type Layout,
  mastodon,
  nanoflake,
  sno,
  snowflake,
  snowflakeSI,
  sonyflake,
  twitter,
  ulidFlake,
  ulidFlakeScalable,
} from "graupel";

export type Id = string | bigint | number;

export interface AnyGenerator {
  next(): Id;
  nextText(): string;
  nextManyText(n: number): string[];
}

/** What the pages call. Every format of the package has it, with types of its own. */
export interface AnyFormat {
  readonly name: string;
  readonly layout: Layout;
  readonly epoch: number;
  readonly capacity: number;
  readonly endOfLife: number;
  parse(x: unknown): Id;
  isValid(x: unknown): boolean;
  format(id: Id): string;
  toBytes(id: Id): Uint8Array;
  toBigInt(id: Id): bigint;
  fromBigInt(integer: bigint): Id;
  inspect(id: Id): Readonly<Record<string, unknown>> & { readonly timestamp: number; readonly ticks: number };
  compose(fields: Readonly<Record<string, number>>): Id;
  with(id: Id, changes: Readonly<Record<string, number>>): Id;
  range(from?: number, to?: number): { readonly min: Id; readonly max: Id };
  generator(options?: Readonly<Record<string, unknown>>): AnyGenerator;
}

const any = (format: unknown): AnyFormat => format as AnyFormat;

/** Formats whose specification gives the epoch. */
export const FIXED: readonly AnyFormat[] = [
  sno,
  discord,
  twitter,
  mastodon,
  instagram,
  sonyflake,
  ulidFlake,
  ulidFlakeScalable,
].map(any);

/** A format with an epoch or fields of one's own, as it stands in a link. */
export interface Declared {
  readonly kind: "nanoflake" | "snowflakeSI" | "snowflake";
  /** Unix milliseconds of tick 0. */
  readonly epoch: number;
  /** Of a Snowflake: the widths of the fields, high to low, and the length of a tick. */
  readonly fields?: Readonly<Record<string, number>>;
  readonly tickMs?: number;
}

/** Makes a declared format. Throws the package's own errors. */
export function declared({ kind, epoch, fields = {}, tickMs }: Declared): AnyFormat {
  if (kind === "nanoflake") return any(nanoflake({ epoch }));
  if (kind === "snowflakeSI") return any(snowflakeSI({ epoch }));
  const layout = fields as { time: number; sequence: number };
  return any(snowflake({ epoch, fields: layout, ...(tickMs !== undefined && { tickMs }) }));
}
