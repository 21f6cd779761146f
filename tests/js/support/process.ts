/**
 * A process, as far as generators can tell: what they share lies in a registry on `globalThis`, and another process has
 * another one. A generator looks there when it is made or when it is first used.
 */

const KEY = Symbol.for("graupel.registry");
const globals = globalThis as Record<symbol, unknown>;

export class Realm {
  static #present: Realm | undefined;
  #registry: unknown;

  /** Runs something in this process. */
  inside<T>(what: () => T): T {
    const before = Realm.#present;
    if (before === this) {
      return what();
    }
    const outer = globals[KEY];
    place(this.#registry);
    Realm.#present = this;
    try {
      return what();
    } finally {
      this.#registry = globals[KEY];
      place(outer);
      Realm.#present = before;
    }
  }

  /** An object whose methods and getters are called in this process. */
  wrap<T extends object>(object: T): T {
    const wrapped = {} as T;
    for (const [name, { value, get }] of Object.entries(Object.getOwnPropertyDescriptors(object))) {
      const method = (...given: unknown[]) => this.inside(() => value(...given));
      Object.defineProperty(
        wrapped,
        name,
        get === undefined
          ? { enumerable: true, value: typeof value === "function" ? method : value }
          : { enumerable: true, get: () => this.inside(() => Reflect.apply(get, object, [])) },
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
