/** A property's owner, its name, and what stands there meanwhile. */
export type Replacement = readonly [owner: object, name: string, value: unknown];

/** Replaces properties until the returned function is called. (A mock of node:test remembers each call and its stack: here millions.) */
export function replace(...replacements: readonly Replacement[]): () => void {
  const before = replacements.map(([owner, name]) => Object.getOwnPropertyDescriptor(owner, name));
  for (const [owner, name, value] of replacements) {
    Object.defineProperty(owner, name, { value, configurable: true, writable: true });
  }
  return () => {
    for (const [i, [owner, name]] of replacements.entries()) {
      const own = before[i];
      if (own === undefined) Reflect.deleteProperty(owner, name);
      else Object.defineProperty(owner, name, own);
    }
  };
}
