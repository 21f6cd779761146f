/**
 * Simulates another process, by replacing the registry of shared states, of which a realm has one. `undefined` stands for none: deleting
 * the property each time would slow down every global of the realm.
 */

const globals = globalThis as unknown as Record<symbol, unknown>;
const KEY = Symbol.for("graupel.registry");

/** What the copies of the package share (js/identity/shared.ts), as far as the tests read it: no public call shows it. */
export interface Registry {
  readonly states: Map<string, readonly { save(): Float64Array; restore(numbers: Float64Array): void }[]>;
  readonly drawn: readonly unknown[];
}

/** That of this realm, or of the process that is entered; none before the first claim. */
export const registry = (): Registry | undefined => globals[KEY] as Registry | undefined;

/**
 * Simulates another process: generators that claim their state from now on share it with no earlier ones. A generator claims its state
 * at its first operation, or when it is made with a snapshot or `notBefore`, and keeps it.
 */
export function emptyRegistry(): void {
  globals[KEY] = undefined;
}

/** A simulated process that can be entered repeatedly. */
export class OtherProcess {
  static #present: OtherProcess | undefined;
  #registry: unknown;

  /** Runs `what` in it: generators claim their states there. */
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

  /** Wraps an object so that its methods and getters run in it. */
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
