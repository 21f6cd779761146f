/**
 * Simulates another process by replacing the registry of shared states, of which each realm has
 * one. An empty registry is `undefined`, because deleting the property would slow down every global
 * of the realm.
 */

const globals = globalThis as unknown as Record<symbol, unknown>;
const KEY = Symbol.for("graupel.registry");

/**
 * The registry that copies of the package share (js/identity/shared.ts), limited to the properties
 * that tests read. No public call exposes it.
 */
export interface Registry {
  readonly states: Map<string, readonly { save(): Float64Array; restore(numbers: Float64Array): void }[]>;
  readonly drawn: readonly unknown[];
}

/** The registry of this realm or of the entered process; undefined before the first claim. */
export const registry = (): Registry | undefined => globals[KEY] as Registry | undefined;

/**
 * Simulates another process: generators that claim their state after this call do not share it with
 * earlier generators. A generator claims its state at its first operation, or at creation if it
 * gets a snapshot or `notBefore`, and keeps it.
 */
export function emptyRegistry(): void {
  globals[KEY] = undefined;
}

/** A simulated process that can be entered repeatedly. */
export class OtherProcess {
  static #present: OtherProcess | undefined;
  #registry: unknown;

  /** Runs a function in this process. Generators claim their states in it. */
  run<T>(what: () => T): T {
    const before = OtherProcess.#present;
    if (before === this) {
      return what();
    }
    const outer = globals[KEY];
    globals[KEY] = this.#registry;
    OtherProcess.#present = this;
    try {
      return what();
    } finally {
      this.#registry = globals[KEY];
      globals[KEY] = outer;
      OtherProcess.#present = before;
    }
  }

  /** Wraps an object so that its methods and getters run in this process. */
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
