/** The registry of shared states, which a realm has one of: taken away, it leaves what another process starts with. */

const globals = globalThis as unknown as Record<symbol, unknown>;
const KEY = Symbol.for("graupel.registry");

/**
 * Stands for another process: generators that claim their state from here on share it with none that were there before.
 * They claim it at their first operation, or when they are made with a snapshot or `notBefore`; what is claimed stays.
 */
export function emptyRegistry(): void {
  delete globals[KEY];
}

/** A process of its own, which can be gone back to. */
export class OtherProcess {
  #registry: unknown;

  /** Runs `work` in it; what is claimed meanwhile is claimed there. */
  run<T>(work: () => T): T {
    const outside = globals[KEY];
    emptyRegistry();
    if (this.#registry !== undefined) {
      globals[KEY] = this.#registry;
    }
    try {
      return work();
    } finally {
      this.#registry = globals[KEY];
      globals[KEY] = outside;
    }
  }
}
