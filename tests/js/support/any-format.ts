/** What formats and generators have in common, with types that accept any argument. */

/** An ID of any format. */
export type Id = string | bigint | number;

/** A snapshot of any format. */
export type Snapshot = { readonly version: number; readonly format: string } & Record<string, unknown>;

/** A generator of any format. */
export interface AnyGenerator {
  next(metabyte?: unknown): Id;
  nextText(metabyte?: unknown): string;
  nextMany(n: unknown, metabyte?: unknown): Id[];
  nextManyText(n: unknown, metabyte?: unknown): string[];
  /** Absent where IDs are texts. */
  nextTyped?(n: unknown): ArrayLike<Id>;
  nextAsync(options?: unknown): Promise<Id>;
  at(time: unknown, metabyte?: unknown): Id;
  snapshot(): Snapshot;
  stats(): Record<
    "issued" | "waits" | "waitedMs" | "clockRegressions" | "largestRegressionMs" | "overflows" | "aheadMs",
    number
  >;
  /** sno's. */
  sequence?(): number;
  len?(): number;
}

/** A format of any kind. */
export interface AnyFormat {
  readonly name: string;
  readonly epoch: number;
  readonly endOfLife: number;
  readonly capacity: number;
  readonly layout: {
    readonly bits: number;
    readonly tickMs: number;
    readonly fields: readonly { readonly name: string; readonly bits: number }[];
  };
  parse(x: unknown, radix?: unknown): Id;
  isValid(x: unknown): boolean;
  format(id: unknown, radix?: unknown): string;
  toBytes(id: unknown): Uint8Array;
  fromBytes(bytes: unknown): Id;
  toBigInt(id: unknown): bigint;
  fromBigInt(integer: unknown): Id;
  inspect(id: unknown): { readonly ticks: number } & Readonly<Record<string, unknown>>;
  compose(fields: unknown): Id;
  with(id: unknown, changes: unknown): Id;
  range(from: unknown, to: unknown): { readonly min: Id; readonly max: Id };
  compare(a: unknown, b: unknown): number;
  generator(options?: unknown): AnyGenerator;
  readonly "~standard": {
    validate(value: unknown): { readonly value?: unknown; readonly issues?: readonly { message: string }[] };
  };
}
