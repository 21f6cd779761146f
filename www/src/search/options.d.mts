import type { Options } from "minisearch";

/** A section of a page in the index. */
export interface Section {
  readonly id: number;
  /** The address, relative to the site's root. */
  readonly path: string;
  readonly page: string;
  /** The heading; empty for the text above the first heading. */
  readonly section: string;
  readonly body: string;
  /** The group of the page in the contents. */
  readonly group: string;
  /** The weight of a result. Guides come before the reference. */
  readonly weight: number;
}

export const INDEX: string;
export const OPTIONS: Options<Section>;
export const processQuery: (word: string) => string | null;
