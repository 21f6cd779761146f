// Mistakes that are planted in a holder's store. The stories must detect them.

/** The end of a grant is ignored: it is a thousand seconds later. */
const endless = (grant) =>
  grant !== null && "until" in grant ? { ...grant, until: grant.until + 1_000_000 } : grant;

/** A revoked grant stays in use. */
const unrevoked = ({ onRevoke, ...store }) => store;

const withoutEnd = (store) => ({
  ...store,
  acquire: async (request) => endless(await store.acquire(request)),
  renew: async (request) => endless(await store.renew(request)),
});

const MISTAKES = {
  endless: withoutEnd,
  unrevoked,
  stubborn: (store) => unrevoked(withoutEnd(store)),
  /** After a data loss, the store does not wait for holders of the lost grants. */
  hasty: (store) => ({
    ...store,
    // Just long enough for a renewal.
    acquire: (request) => store.acquire({ ...request, quarantineMs: request.ttlMs / 2 }),
  }),
};

/** The store, with a mistake if one is given. */
export const withMistake = (store, mistake) => (mistake === undefined ? store : MISTAKES[mistake](store));
