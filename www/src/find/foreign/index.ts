/** Reads texts as IDs of other families. */
import { type ForeignID, read } from "./kind.ts";
import { SERVICES } from "./services.ts";
import { TOKENS } from "./tokens.ts";
import { uuid } from "./uuid.ts";

export type { ForeignID } from "./kind.ts";
export { unixTime } from "./services.ts";

const KINDS = [...TOKENS, ...SERVICES];

/**
 * The readings by every foreign kind. `isAsked`: whether the surroundings support a kind.
 * `isAlone`: whether the text has no surroundings.
 */
export const foreignIn = (
  text: string,
  now: number,
  isAsked: (key: string) => boolean,
  isAlone: boolean,
): ForeignID[] => [
  ...[uuid(text, now)].flatMap((one) => one ?? []),
  ...KINDS.filter(({ form }) => form.test(text))
    .filter((kind) => !kind.asked?.test(text) || (kind.isAlone && isAlone) || isAsked(kind.key))
    .flatMap((kind) => read(kind, text, now) ?? []),
];
