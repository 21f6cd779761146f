/** What a text is, if it is an ID of another family. */
import { type ForeignID, read } from "./kind.ts";
import { SERVICES } from "./services.ts";
import { TOKENS } from "./tokens.ts";
import { uuid } from "./uuid.ts";

export type { ForeignID } from "./kind.ts";
export { unixTime } from "./services.ts";

const KINDS = [...TOKENS, ...SERVICES];

/** Every kind that reads the text. `isAsked`: whether something around it speaks for a kind; `isAlone`: whether nothing is around it. */
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
