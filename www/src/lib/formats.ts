/** The formats, as the pages use them: whatever the type of their IDs. */
import type { Layout } from "graupel";

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
