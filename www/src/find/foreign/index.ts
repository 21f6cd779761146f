/** What a text is, if it is an ID of another family. */
import type { ForeignID, Reader } from "./kind.ts";
import { ksuid, objectId, ulid, xid } from "./tokens.ts";
import { uuid } from "./uuid.ts";

export type { ForeignID } from "./kind.ts";

/** The kinds by the length of their texts. */
const READERS: Readonly<Record<number, Reader>> = {
  20: xid,
  24: objectId,
  26: ulid,
  27: ksuid,
  32: uuid,
  36: uuid,
};

export const foreignIn = (text: string, now: number): ForeignID | undefined =>
  READERS[text.length]?.(text, now);
