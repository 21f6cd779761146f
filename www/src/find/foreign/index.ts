/** What a text is, if it is an ID of another family. */
import type { ForeignID, Reader } from "./kind.ts";
import { serviceIDs } from "./services.ts";
import { ksuid, objectId, ulid, xid } from "./tokens.ts";
import { uuid } from "./uuid.ts";

export type { ForeignID } from "./kind.ts";
export { unixTime } from "./services.ts";

/** The kinds by the length of their texts. */
const READERS: Readonly<Record<number, Reader>> = {
  20: xid,
  24: objectId,
  26: ulid,
  27: ksuid,
  32: uuid,
  36: uuid,
};

/** Every kind that reads the text. */
export const foreignIn = (...[text, now, ...around]: Parameters<typeof serviceIDs>): ForeignID[] => [
  ...[READERS[text.length]?.(text, now)].flatMap((one) => one ?? []),
  ...serviceIDs(text, now, ...around),
];
