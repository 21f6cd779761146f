// A generator's tick, as its user sees it: how many IDs it still holds. Bursts are made below the capacity, and the
// waiting for the next tick is done here, where nobody measures it.

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

  /** After it: it may have gone on into the next tick. */
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

/** A clock that reads the system's and never stands still, so that nothing that asks it has to wait. */
export function restlessClock(tickMs) {
  let last = 0;
  return () => {
    last = Math.max(Date.now(), last + tickMs);
    return last;
  };
}
