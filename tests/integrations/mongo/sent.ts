/** What Mongoose calls the driver with. No MongoDB runs. */

// biome-ignore lint/suspicious/noExplicitAny: models of all tests, and what they send
type Any = any;

/** What a call gives a method of the model's collection. */
export async function sentBy(model: Any, method: string, call: () => unknown): Promise<Any[]> {
  let given: Any[] | undefined;
  model.collection[method] = (...parameters: Any[]) => {
    given = parameters;
    // Mongoose 7 still gives some methods a callback.
    const [last] = parameters.slice(-1);
    if (typeof last === "function") return last(null, { getWriteErrors: () => [] });
    return /^(find|aggregate)$/.test(method) ? { toArray: async () => [] } : Promise.resolve({});
  };
  try {
    await call();
  } finally {
    delete model.collection[method];
  }
  return given ?? [];
}
