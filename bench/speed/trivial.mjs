// The smallest WebAssembly module that does the least that a generator must do: take a clock reading, and return a number,
// a BigInt or 16 bytes; and that a reader must do: take a BigInt, and return a number. Written by hand, because a compiler would add
// more.
//
//   (func (export "number") (param f64) (result f64) (local.get 0))
//   (func (export "bigint") (param f64) (result i64) (i64.trunc_sat_f64_s (local.get 0)))
//   (func (export "bytes") (param f64)
//     (f64.store (i32.const 0) (local.get 0))
//     (i64.store (i32.const 8) (i64.add (i64.load (i32.const 8)) (i64.const 1))))  ;; each call differs
//   (func (export "read") (param i64) (result f64) (f64.convert_i64_s (local.get 0)))

const [F64, I64] = [0x7c, 0x7e];
const [FUNCTION, MEMORY] = [0x00, 0x02];

/** A vector: its length, then its items. All lengths here are below 128, so each is one byte. */
const vector = (...items) => [items.length, ...items.flat()];
const name = (text) => vector(...Buffer.from(text));
const section = (id, ...items) => {
  const content = vector(...items);
  return [id, content.length, ...content];
};
/** A body without locals. */
const body = (...code) => vector(0, ...code, 0x0b);

const get = [0x20, 0];
const constant = (n) => [0x41, n];
/** Alignment as a power of two, and no offset. */
const at8 = [3, 0];

const bytes = Uint8Array.from([
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(
    1,
    [0x60, ...vector(F64), ...vector(F64)],
    [0x60, ...vector(F64), ...vector(I64)],
    [0x60, ...vector(F64), ...vector()],
    [0x60, ...vector(I64), ...vector(F64)],
  ),
  ...section(3, 0, 1, 2, 3),
  ...section(5, [0, 1]),
  ...section(
    7,
    [...name("number"), FUNCTION, 0],
    [...name("bigint"), FUNCTION, 1],
    [...name("bytes"), FUNCTION, 2],
    [...name("read"), FUNCTION, 3],
    [...name("memory"), MEMORY, 0],
  ),
  ...section(
    10,
    body(...get),
    body(...get, 0xfc, 6),
    body(
      ...[...constant(0), ...get, 0x39, ...at8],
      ...[...constant(8), ...constant(8), 0x29, ...at8, 0x42, 1, 0x7c, 0x37, ...at8],
    ),
    body(...get, 0xb9),
  ),
]);

/** A new instance, and a view of the 16 bytes. */
export function trivial() {
  const {
    number,
    bigint,
    bytes: write,
    read,
    memory,
  } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
  return { number, bigint, write, read, u8: new Uint8Array(memory.buffer, 0, 16) };
}
