/** Scripted time: what is to happen, in the order of its time. Nothing waits for a real clock. */
import { settled } from "../../support/scripted-clock.ts";

interface Happening {
  readonly at: number;
  /** Among those of one time, the order in which they were planned. */
  readonly order: number;
  work: (() => void) | undefined;
}

/** The time of a world, and what is still to happen in it. */
export class Schedule {
  /** Milliseconds since the world began. */
  now = 0;
  #order = 0;
  /** A binary heap. */
  readonly #heap: Happening[] = [];

  /** Plans something. Returns a function that cancels it. */
  after(ms: number, work: () => void): () => void {
    const happening: Happening = { at: this.now + Math.max(0, ms), order: this.#order++, work };
    this.#push(happening);
    return () => {
      happening.work = undefined;
    };
  }

  /** Lets things happen until a time. After each, all promises that it settles have done their work. */
  async run(until: number): Promise<void> {
    for (let next = this.#heap[0]; next !== undefined && next.at <= until; next = this.#heap[0]) {
      this.#pop();
      if (next.work !== undefined) {
        this.now = next.at;
        next.work();
        await settled();
      }
    }
    this.now = until;
  }

  static #before(a: Happening, b: Happening): boolean {
    return a.at < b.at || (a.at === b.at && a.order < b.order);
  }

  #push(one: Happening): void {
    const heap = this.#heap;
    let i = heap.push(one) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!Schedule.#before(one, heap[parent] as Happening)) break;
      heap[i] = heap[parent] as Happening;
      i = parent;
    }
    heap[i] = one;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop() as Happening;
    const { length } = heap;
    if (length === 0) return;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= length) break;
      if (child + 1 < length && Schedule.#before(heap[child + 1] as Happening, heap[child] as Happening))
        child++;
      if (!Schedule.#before(heap[child] as Happening, last)) break;
      heap[i] = heap[child] as Happening;
      i = child;
    }
    heap[i] = last;
  }
}
