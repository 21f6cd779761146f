// Mistakes, planted in the store that a holder uses: the stories have to notice them.

/** The interval of a grant is not checked: it ends a thousand seconds later. */
const endless = (grant) =>
  grant !== null && "until" in grant ? { ...grant, until: grant.until + 1_000_000 } : grant;

/** What was withdrawn is used on. */
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
  /** A store that loses writes does not wait for those who may hold what it has lost. */
  hasty: (store) => ({
    ...store,
    // Just long enough for a renewal.
    acquire: (request) => store.acquire({ ...request, quarantineMs: request.ttlMs / 2 }),
  }),
};

/** The store with a mistake, or as it is. */
export const withMistake = (store, mistake) => (mistake === undefined ? store : MISTAKES[mistake](store));
