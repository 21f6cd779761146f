// The floors, which all figures are compared with. D is one `Date.now()`. F, the floor of a result,
// is one clock reading, one call into a trivial WebAssembly module, and the engine's creation of
// that result.

export const D = "Date.now()";

/**
 * The smallest module with the minimum of a generator's and a reader's work:
 *
 *   (func (export "number") (param f64) (result f64) (local.get 0))
 *   (func (export "bigint") (param f64) (result i64) (i64.trunc_sat_f64_s (local.get 0)))
 *   (func (export "bytes") (param f64)
 *     (f64.store (i32.const 0) (local.get 0))
 *     (i64.store (i32.const 8) (i64.add (i64.load (i32.const 8)) (i64.const 1))))  ;; each call differs
 *   (func (export "read") (param i64) (result f64) (f64.convert_i64_s (local.get 0)))
 *   (memory (export "memory") 1)
 */
const TRIVIAL =
  "AGFzbQEAAAABFARgAXwBfGABfAF+YAF8AGABfgF8AwUEAAECAwUDAQABBysFBm51bWJlcgAABmJpZ2ludAABBWJ5dGVzAAIE" +
  "cmVhZAADBm1lbW9yeQIACioEBAAgAAsGACAA/AYLFgBBACAAOQMAQQhBCCkDAEIBfDcDAAsFACAAuQs=";
const module = new WebAssembly.Module(Buffer.from(TRIVIAL, "base64"));
const { number, bigint, bytes: write, read, memory } = new WebAssembly.Instance(module).exports;
const u8 = new Uint8Array(memory.buffer, 0, 16);

/** The fastest code to make a flat string from the last `length` of the 16 bytes. */
const text = (length) =>
  `String.fromCharCode(${Array.from({ length }, (_, i) => `u8[${16 - length + i}]`).join(", ")})`;

/** A flat copy of a text, as if it came from a file or a socket. */
export const flat = (id) => Buffer.from(id).toString("latin1");

const texts = Array.from({ length: 16 }, (_, i) => flat("brpk4q72xwf2m63".padEnd(16, `${i % 8}`)));
const numbers = new Float64Array(1024);
const ids = Array.from({ length: 16 }, (_, i) => 1_585_841_080_431_321_088n + BigInt(i));
const nothing = (_id) => 1;
function sum(characters) {
  let all = 0;
  for (let i = 0; i < characters.length; i++) all |= characters.charCodeAt(i);
  return all;
}

const scope = { number, bigint, write, read, u8, texts, numbers, ids, sum, nothing };

/**
 * The clock, the floor of each type of result, and the engine's own share of graupel's work. This
 * share explains most missed targets.
 */
const code = {
  [D]: D,
  number: "number(Date.now())",
  bigint: "bigint(Date.now())",
  text16: `(write(Date.now()), ${text(16)})`,
  text13: `(write(Date.now()), ${text(13)})`,
  "a BigInt, from WebAssembly": "bigint(i)",
  "a BigInt, to WebAssembly": "read(ids[i & 15])",
  "a BigInt, to an empty function": "nothing(ids[i & 15])",
  "a flat text of 16 characters": text(16),
  "16 characters, one by one": "sum(texts[i & 15])",
  "a Date": "new Date(1e12 + i)",
  "200 numbers, copied": "numbers.slice(0, 200)",
};

const TO_BUFFER = "to a Buffer";
const MAP_KEY = "as a Map key";

/**
 * Adds two cases to a case that makes a text, in which the text is also used. Ropes and slices are
 * cheap to create, because they delay the work until they are used.
 */
export function used(one) {
  const { operation, code, scope, floor, awaits } = one;
  const made = awaits ? `(await ${code})` : code;
  const map = new Map();
  const use = (words, code, more) => ({
    ...one,
    ...{ awaits: false, inAsync: awaits, operation: `${operation}, ${words}`, code },
    ...{ scope: { ...scope, ...more }, floor: floor && `${floor}, ${words}` },
  });
  return [
    use(TO_BUFFER, `buffer.write(${made}, 0, "latin1")`, { buffer: Buffer.alloc(64) }),
    { ...use(MAP_KEY, `map.set(${made}, i)`, { map }), before: () => map.clear() },
  ];
}

export const floorCases = Object.entries(code)
  .map(([operation, code]) => ({ operation, code, scope }))
  .flatMap((one) => [one, ...(one.operation.startsWith("text") ? used(one) : [])]);

/**
 * Returns a function that waits before a burst until the tick has room for it, so that the measured
 * time contains no wait. `sure`: the guaranteed number of IDs in a tick.
 */
export function roomOf({ tickMs = 1, epoch = 0, sure }) {
  const read = () => Math.floor((Date.now() - epoch) / tickMs);
  let [now, used, last] = [-1, 0, 0];
  return (ids) => {
    // The previous burst may have ended in the same tick.
    if (read() !== now) used = last;
    now = read();
    if (used + ids > sure && used > 0) {
      while (read() === now);
      [now, used] = [read(), 0];
    }
    used += ids;
    last = ids;
  };
}
