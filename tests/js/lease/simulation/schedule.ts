/** Scripted time: what is to happen, in the order of its time. Nothing waits for a real clock. */
import { settled } from "../../support/scripted-clock.ts";

interface Happening {
  readonly at: number;
  work: (() => void) | undefined;
}

/** The time of a world, and what is still to happen in it. */
export class Schedule {
  /** Milliseconds since the world began. */
  now = 0;
  /** The last is the next; of those of one time, the one that was planned first. */
  readonly #planned: Happening[] = [];

  /** Plans something. Returns a function that cancels it. */
  after(ms: number, work: () => void): () => void {
    const happening: Happening = { at: this.now + Math.max(0, ms), work };
    let place = this.#planned.length;
    while (place > 0 && (this.#planned[place - 1] as Happening).at <= happening.at) place--;
    this.#planned.splice(place, 0, happening);
    return () => {
      happening.work = undefined;
    };
  }

  /** Lets things happen until a time. After each, all promises that it settles have done their work. */
  async run(until: number): Promise<void> {
    for (
      let next = this.#planned.at(-1);
      next !== undefined && next.at <= until;
      next = this.#planned.at(-1)
    ) {
      this.#planned.pop();
      if (next.work !== undefined) {
        this.now = next.at;
        next.work();
        await settled();
      }
    }
    this.now = until;
  }
}
