// Counts how many IDs a generator's tick still holds. Bursts stay below the capacity; waiting for the next tick happens
// here, outside of what is measured.

export class Tick {
  #now = -1;
  #used = 0;

  /** `room` is how many IDs a tick holds. */
  constructor({ tickMs = 1, epoch = 0, room }) {
    this.read = () => Math.floor((Date.now() - epoch) / tickMs);
    this.room = room;
  }

  /** Before a burst: waits until the tick has room for it. */
  take(ids) {
    this.#follow(0);
    if (this.#used > 0 && this.#used + ids > this.room) {
      while (this.read() === this.#now);
      this.#follow(0);
    }
    this.#used += ids;
  }

  /** After a burst: it may have ended in the next tick. */
  done(ids) {
    this.#follow(ids);
  }

  #follow(ids) {
    const now = this.read();
    if (now === this.#now) return;
    this.#now = now;
    this.#used = ids;
  }
}

/** The system's clock, but each reading advances by at least a tick: so generators never wait. */
export function restlessClock(tickMs) {
  let last = 0;
  return () => {
    last = Math.max(Date.now(), last + tickMs);
    return last;
  };
}
