/** Scripted time: events run in the order of their times, and nothing waits for a real clock. */
import { settled } from "../../support/scripted-clock.ts";

interface Happening {
  readonly at: number;
  work: (() => void) | undefined;
}

/** The time of a world, and its planned events. */
export class Schedule {
  /** Milliseconds since the world began. */
  now = 0;
  /**
   * The last element is the next event. Events at the same time run in the order in which they were
   * planned.
   */
  readonly #planned: Happening[] = [];

  /** Plans an event. Returns a function that cancels it. */
  after(ms: number, work: () => void): () => void {
    const happening: Happening = { at: this.now + Math.max(0, ms), work };
    let place = this.#planned.length;
    while (place > 0 && (this.#planned[place - 1] as Happening).at <= happening.at) place--;
    this.#planned.splice(place, 0, happening);
    return () => {
      happening.work = undefined;
    };
  }

  /**
   * Runs all events up to a time. Before the first event and after each one, waits until all settled
   * promises have run their callbacks.
   */
  async run(until: number): Promise<void> {
    await settled();
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
