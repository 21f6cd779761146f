// The other packages as cases.

import { flat, roomOf, used } from "./floors.mjs";

/** The worker ID for each package that takes one. */
const WORKER = 1;

export async function peerCases({ package: specifier, make, room, awaits, makesText, ...peer }) {
  const module = await import(specifier);
  const next = make(module, WORKER);
  const ids = [];
  for (let i = 0; i < 16; i++) ids.push(await next());
  const texts = ids.map((id) => flat(peer.text?.(id) ?? String(id)));
  const scope = { ids: makesText ? texts : ids, texts, ...peer.scope?.(module) };
  const generate = { operation: "next", code: "next()", scope: { next }, awaits };
  if (room) generate.room = roomOf({ sure: room });
  const reads = ["parse", "isValid", "inspect", "timestamp", "timestamp of text"].filter(
    (operation) => peer[operation],
  );
  return [
    generate,
    ...(makesText ? used(generate) : []),
    ...reads.map((operation) => {
      const code = peer[operation].replace(/\bid\b/g, "ids[i & 15]").replace(/\btext\b/g, "texts[i & 15]");
      return { operation, code, scope };
    }),
  ];
}
