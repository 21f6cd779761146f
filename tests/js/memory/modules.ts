/**
 * Records the WebAssembly modules that are compiled, and the memories of their instances, which the package does not expose. Must be
 * imported before the package is first used.
 */

/** The modules compiled, and the memories of the instances made, since this file was loaded. */
export const seen = { compiled: [] as unknown[], memories: [] as WebAssembly.Memory[] };

/** Wraps a constructor or a function, and records what it makes. */
function watch(
  name: "Module" | "Instance" | "compile" | "instantiate",
  look: (made: unknown, from: unknown) => void,
) {
  const original = WebAssembly[name] as new (...values: unknown[]) => object;
  const watched = new Proxy(original, {
    construct(target, values) {
      const made = Reflect.construct(target, values);
      look(made, values[0]);
      return made;
    },
    apply(target, self, values) {
      look(undefined, values[0]);
      return Reflect.apply(target as unknown as () => unknown, self, values);
    },
  });
  Object.defineProperty(WebAssembly, name, { value: watched, configurable: true, writable: true });
}

const count = (_: unknown, from: unknown) => {
  seen.compiled.push(from);
};
watch("Module", count);
watch("compile", count);
watch("instantiate", count);
watch("Instance", (made) => {
  for (const value of Object.values((made as WebAssembly.Instance).exports)) {
    if (value instanceof WebAssembly.Memory) {
      seen.memories.push(value);
    }
  }
});
