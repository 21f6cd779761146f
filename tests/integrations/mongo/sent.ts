/** Records what Mongoose passes to the driver. No MongoDB runs. */

// biome-ignore lint/suspicious/noExplicitAny: any model and its arguments
type Any = any;

/** The arguments that a call passes to a method of the model's collection. */
export async function sentBy(model: Any, method: string, call: () => unknown): Promise<Any[]> {
  let given: Any[] | undefined;
  model.collection[method] = (...parameters: Any[]) => {
    given = parameters;
    // Mongoose 7 still passes a callback to some methods.
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
