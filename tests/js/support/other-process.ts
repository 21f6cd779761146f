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
  static #present: OtherProcess | undefined;
  #registry: unknown;

  /** Runs `what` in it; what is claimed meanwhile is claimed there. */
  run<T>(what: () => T): T {
    const before = OtherProcess.#present;
    if (before === this) {
      return what();
    }
    const outer = globals[KEY];
    place(this.#registry);
    OtherProcess.#present = this;
    try {
      return what();
    } finally {
      this.#registry = globals[KEY];
      place(outer);
      OtherProcess.#present = before;
    }
  }

  /** An object whose methods and getters are called in it. */
  wrap<T extends object>(object: T): T {
    const wrapped = {} as T;
    for (const [name, { value, get }] of Object.entries(Object.getOwnPropertyDescriptors(object))) {
      const method = (...given: unknown[]) => this.run(() => value(...given));
      Object.defineProperty(
        wrapped,
        name,
        get === undefined
          ? { enumerable: true, value: typeof value === "function" ? method : value }
          : { enumerable: true, get: () => this.run(() => Reflect.apply(get, object, [])) },
      );
    }
    return wrapped;
  }
}

function place(registry: unknown): void {
  if (registry === undefined) {
    delete globals[KEY];
  } else {
    globals[KEY] = registry;
  }
}
