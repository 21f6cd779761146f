// Single calls of a store.

/** A request for a number, but for its token. */
export const request = {
  namespace: "calls",
  layout: "a layout",
  last: 31,
  mask: 0,
  bits: 0,
  ttlMs: 5000,
  quarantineMs: 5000,
  label: "a story",
};

/** A grant, which there has to be. `asked`: the request. */
export async function taken(store, token, asked = request) {
  const answer = await store.acquire({ ...asked, token });
  if (!("number" in answer)) throw new Error(`no number: ${JSON.stringify(answer)}`);
  return answer;
}
