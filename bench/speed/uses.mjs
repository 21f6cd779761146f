// Uses of texts. Ropes and slices are cheap to create because they delay the work until the text is written to a Buffer or
// used as a Map key.

export const TO_BUFFER = "to a Buffer";
export const MAP_KEY = "as a Map key";

/** Two more cases for a case that makes a text: the same, and then used. */
export function used(one) {
  const buffer = Buffer.alloc(64);
  const map = new Map();
  const { operation, code, scope, floor } = one;
  const made = one.awaits ? `(await ${code})` : code;
  const same = { ...one, awaits: false, inAsync: one.awaits };
  return [
    {
      ...same,
      operation: `${operation}, ${TO_BUFFER}`,
      code: `buffer.write(${made}, 0, "latin1")`,
      scope: { ...scope, buffer },
      floor: floor && `${floor}, ${TO_BUFFER}`,
    },
    {
      ...same,
      operation: `${operation}, ${MAP_KEY}`,
      code: `map.set(${made}, i)`,
      scope: { ...scope, map },
      before: () => map.clear(),
      floor: floor && `${floor}, ${MAP_KEY}`,
    },
  ];
}
