// Texts for the public: what an address costs beside the canonical text.

import { decode, encode } from "graupel/encode";
import { sealed } from "graupel/sealed";
import { twitter } from "graupel/snowflake";

/** One format is enough: others differ in their width alone. */
const SUBJECT = "twitter";

/** The cases, if that format is measured. */
export function publicTextCases(formats) {
  if (!formats.some(({ name }) => name === SUBJECT)) return [];
  const { seal, open } = sealed(twitter, new Uint8Array(32).fill(7));
  const ids = twitter.generator({ datacenterId: 31, workerId: 31, isolated: true }).nextMany(16);
  const scope = { decode, encode, format: twitter, ids, open, seal };
  scope.texts = ids.map((id) => encode(twitter, id, "base62"));
  scope.sealedTexts = ids.map(seal);
  const one = (operation, code) => ({ subject: SUBJECT, operation, code, scope });
  return [
    one("encode, base62", 'encode(format, ids[i & 15], "base62")'),
    one("decode, base62", 'decode(format, texts[i & 15], "base62")'),
    one("seal", "seal(ids[i & 15])"),
    one("open", "open(sealedTexts[i & 15])"),
  ];
}
