// The ledger of issued IDs: whoever checks that nothing repeats records the IDs here. Plain JavaScript, so that hosts, leases and the duel
// can load it, too.

/** IDs that have been issued. */
export class IssuedIds {
  /** @type {Set<unknown>} */
  #ids = new Set();
  /** How many IDs were recorded, forgotten ones included. */
  count = 0;

  /**
   * Records one ID, or several. Throws at an ID that was recorded before.
   *
   * @param {unknown} ids
   * @param {string} of whose IDs these are, if those of others may equal them
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

  /** Forgets all IDs: a long run cannot keep them, and a duplicate comes soon after the first one. */
  forget() {
    this.#ids.clear();
  }
}

/**
 * How many of these IDs repeat an earlier one.
 *
 * @param {Iterable<unknown>} ids
 */
export function repeatedAmong(ids) {
  const all = [...ids];
  return all.length - new Set(all).size;
}
