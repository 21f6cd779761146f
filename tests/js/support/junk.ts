/**
 * fast-check arbitraries for arbitrary JavaScript values. Each value is drawn as a function that
 * creates it, for two reasons: fast-check inspects the values that it draws, which would trigger
 * traps and fail on revoked proxies; and a value that changes when it is read must be created again
 * in each run.
 */
import { createContext, runInContext } from "node:vm";
import fc from "fast-check";
import { character, integersOf, textsOf } from "./arbitraries.ts";
import { LATEST } from "./expected.ts";
import { mark } from "./marked.ts";
import type { Reference } from "./reference.ts";

/** Creates a value. In a story, receives the current time and the start time. */
export type Given = (now?: number, start?: number) => unknown;

/** The constructors of another realm. */
const realm = runInContext(
  "({ Object, Array, Date, Uint8Array, Map })",
  createContext({}),
) as typeof globalThis;

/** A value once in `n` draws; otherwise null. */
export const seldom = <T>(n: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: n - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

/** Values created from what fast-check draws. */
export const made = <T>(arbitrary: fc.Arbitrary<T>, make: (drawn: T) => unknown): fc.Arbitrary<Given> =>
  arbitrary.map((drawn) => () => make(drawn));
/** Plain values, drawn as they are. */
export const constant = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<Given> =>
  made(arbitrary, (value) => value);

const EDGES = [2 ** 31, 2 ** 32, 2 ** 53, 2 ** 63, 2 ** 64, LATEST].flatMap((edge) => [
  edge,
  edge - 1,
  edge + 1,
  -edge,
]);

export const number: fc.Arbitrary<number> = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.nat(70_000),
  fc.constantFrom(-0, 0.5, 1.5, -0.5, ...EDGES),
);

export const bigint: fc.Arbitrary<bigint> = fc.oneof(
  fc.bigInt({ min: -(2n ** 130n), max: 2n ** 130n }),
  fc.tuple(fc.nat(80), fc.integer({ min: -1, max: 1 })).map(([bits, by]) => 2n ** BigInt(bits) + BigInt(by)),
);

const DIGITS = ["0123456789", "23456789abcdefghijklmnopqrstuvwx", "0123456789ABCDEFGHJKMNPQRSTVWXYZ"];

export const string: fc.Arbitrary<Given> = fc.oneof(
  ...DIGITS.map((digits) => constant(fc.string({ unit: fc.constantFrom(...digits), maxLength: 40 }))),
  constant(fc.string({ unit: character, maxLength: 40 })),
  made(fc.tuple(character, fc.constantFrom(64, 1000, 8191, 8192, 100_000)), ([unit, length]) =>
    unit.repeat(length),
  ),
);

export function revoked(target: object = {}): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

export function trapped(target: object = {}): object {
  const throwing = () => {
    throw mark("trap");
  };
  return new Proxy(target, new Proxy({}, { get: () => throwing }));
}

/** Times and values similar to times. */
export const time: fc.Arbitrary<Given> = fc.oneof(
  constant(number),
  constant(fc.constantFrom(-0, 0.5, LATEST, LATEST + 1)),
  constant(fc.nat(2 ** 31).map((seconds) => seconds * 1000)),
  made(
    fc.tuple(fc.constantFrom(Date, realm.Date, class extends Date {}), number),
    ([Class, ms]) => new Class(ms),
  ),
  fc.constantFrom<Given>(
    () => Object.create(Date.prototype),
    () => new Proxy(new Date(0), {}),
    () => new Date(0).toISOString(),
    () => ({ getTime: () => 5, valueOf: () => 5 }),
  ),
);

const shorter = class extends Uint8Array {
  override get length(): number {
    return 3;
  }
};

/** Bytes in every type of array and every state of its buffer. */
const STORES: ((bytes: Uint8Array) => unknown)[] = [
  (bytes) => Buffer.from(bytes),
  (bytes) => Buffer.from([1, 2, 3, ...bytes]).subarray(3),
  (bytes) => new realm.Uint8Array(bytes),
  (bytes) => new shorter(bytes),
  (bytes) => new Uint8ClampedArray(bytes),
  (bytes) => new Uint16Array(bytes),
  (bytes) => new DataView(bytes.slice().buffer),
  (bytes) => bytes.slice().buffer,
  (bytes) => [...bytes],
  ({ length }) => ({ [Symbol.toStringTag]: "Uint8Array", length }),
  () => Object.create(Uint8Array.prototype),
  (bytes) => new Proxy(bytes, {}),
  (bytes) => {
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    return shared;
  },
  ({ length }) => {
    const detached = new Uint8Array(length);
    structuredClone(detached.buffer, { transfer: [detached.buffer] });
    return detached;
  },
  // A resizable buffer that has grown, or has shrunk until the view is out of bounds.
  ...[8, 0, -1, -1000].flatMap((by) =>
    [true, false].map((tracks) => ({ length }: Uint8Array) => {
      const buffer = Reflect.construct(ArrayBuffer, [length, { maxByteLength: length + 8 }]);
      const bytes = tracks ? new Uint8Array(buffer) : new Uint8Array(buffer, 0, length);
      buffer.resize(Math.max(0, length + by));
      return bytes;
    }),
  ),
];

/** Bytes and values similar to bytes. */
export function bytes(length: number): fc.Arbitrary<Given> {
  const right = fc.uint8Array({ minLength: length, maxLength: length });
  const any = fc.oneof({ weight: 3, arbitrary: right }, fc.uint8Array({ maxLength: 40 }));
  const stored = made(fc.tuple(fc.constantFrom(...STORES), any), ([store, bytes]) => store(bytes));
  return fc.oneof(constant(any), stored);
}

const throwing = () => {
  throw mark("conversion");
};
const cyclic: Record<string, unknown> = { big: 5n };
cyclic.self = cyclic;

/** Unusual values that fast-check does not generate. */
const ODD: Given[] = [
  () => cyclic,
  () => Object.freeze({ ticks: 5 }),
  () => ({ valueOf: throwing, toString: throwing, toJSON: throwing, [Symbol.toPrimitive]: throwing }),
  () => ({ valueOf: () => 5, toString: () => "5", length: 8 }),
  () =>
    new (class {
      ticks = 5;
    })(),
  () => Symbol.iterator,
  () => Object(Symbol("boxed")),
  () => Symbol("\u001b[31m"),
  () => new Error("an error"),
  () => Promise.resolve(5),
  () => Object.assign([1, 2], { [Symbol.iterator]: 5 }),
  () => new Proxy([1, 2], {}),
  () => ({ [Symbol.toStringTag]: "Object", partition: 7 }),
  () => () => 5,
  () => class {},
  () => /x/g,
  () => new realm.Object(),
  () => new realm.Array(3, 4),
  () => new realm.Map(),
  () => new AbortController().signal,
  () => Object.create(AbortSignal.prototype),
  () => revoked(),
  () => revoked([]),
  () => trapped(),
  () => 1n << 100_000n,
];

const usual = fc.anything({
  maxDepth: 1,
  maxKeys: 3,
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
});

/** Any JavaScript value. */
export const anything: fc.Arbitrary<Given> = fc.oneof(
  { weight: 3, arbitrary: constant(usual) },
  { weight: 2, arbitrary: fc.constantFrom(...ODD) },
  constant(number),
  constant(bigint),
  string,
  time,
  bytes(8),
);

const BOXES: ((text: string) => unknown)[] = [Object, (text) => [text], BigInt, Number];

/** IDs of a format and values similar to them. */
export function id(r: Reference): fc.Arbitrary<Given> {
  const text = textsOf(r);
  return fc.oneof(
    anything,
    { weight: 2, arbitrary: constant(text) },
    { weight: 2, arbitrary: constant(integersOf(r).map((integer) => r.idOf(integer))) },
    constant(fc.oneof(number, bigint)),
    made(fc.tuple(fc.constantFrom(...BOXES), integersOf(r)), ([box, integer]) =>
      box(integer > 2n ** 63n ? "5" : String(integer)),
    ),
  );
}
