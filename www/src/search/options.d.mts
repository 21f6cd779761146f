import type { Options } from "minisearch";

/** A section of a page, as the index has it. */
export interface Section {
  readonly id: number;
  /** Its address, from the site's root. */
  readonly path: string;
  readonly page: string;
  /** Empty for the text above the first heading. */
  readonly section: string;
  readonly body: string;
  /** The group of the page in the contents. */
  readonly group: string;
  /** How much a result counts: guides before the reference. */
  readonly weight: number;
}

export const INDEX: string;
export const OPTIONS: Options<Section>;
export const processQuery: (word: string) => string | null;
