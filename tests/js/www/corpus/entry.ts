/** A text as a user pastes it, and its right answer. */
export interface Entry {
  readonly text: string;
  /** The ID within the text, as it stands there; absent if there is none. */
  readonly id?: string;
  /** The name of the format or of the foreign kind; "none" if there is no ID. */
  readonly answer: string;
  /** Unix milliseconds; absent where the ID has no time. */
  readonly timestamp?: number;
}

/** A text with several IDs, each with its right answer, in order of place. */
export interface Log {
  readonly text: string;
  readonly answers: readonly { readonly id: string; readonly answer: string }[];
}

export interface Corpus {
  /** The day on which the texts are pasted, in Unix milliseconds. */
  readonly now: number;
  readonly entries: readonly Entry[];
  readonly logs: readonly Log[];
}
