// The ledger of issued IDs, for tests that check that no ID repeats. Plain JavaScript, so that
// hosts, leases and the duel can also load it.

/** A set of issued IDs. */
export class IssuedIds {
  /** @type {Set<unknown>} */
  #ids = new Set();
  /** How many IDs were recorded, including forgotten ones. */
  count = 0;

  /**
   * Records one or several IDs. Throws if an ID was recorded before.
   *
   * @param {unknown} ids
   * @param {string} of the owner of the IDs, if other owners may have equal IDs
   */
  add(ids, of = "") {
    for (const id of typeof ids === "object" ? /** @type {Iterable<unknown>} */ (ids) : [ids]) {
      const key = of === "" ? id : `${of}: ${id}`;
      if (this.#ids.has(key)) throw new Error(`${key} was issued twice`);
      this.#ids.add(key);
      this.count++;
    }
  }

  /** Whether an ID was recorded. */
  has(/** @type {unknown} */ id) {
    return this.#ids.has(id);
  }

  /**
   * Forgets all IDs. A long run cannot keep them, and a duplicate follows soon after the first
   * issue.
   */
  forget() {
    this.#ids.clear();
  }
}

/**
 * The number of IDs that repeat an earlier one.
 *
 * @param {Iterable<unknown>} ids
 */
export function repeatedAmong(ids) {
  const all = [...ids];
  return all.length - new Set(all).size;
}
