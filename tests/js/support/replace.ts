/** The object that owns a property, the property's name, and its temporary value. */
export type Replacement = readonly [owner: object, name: string, value: unknown];

/**
 * Replaces properties until the returned function is called. (A mock of node:test records each call
 * and its stack, and tests make millions of calls.)
 */
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
