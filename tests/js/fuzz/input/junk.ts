/** Bad input of every kind, from a seed. */
import { createContext, runInContext } from "node:vm";
import type { Random } from "../../support/random.ts";
import type { Reference } from "../../support/reference.ts";
import { mark } from "./marked.ts";

/** The constructors of another realm. */
const realm = runInContext(
  "({ Object, Array, Date, Uint8Array, String, Number, BigInt, Error, Map, Proxy })",
  createContext({}),
) as typeof globalThis;

const HUGE = 1n << 100_000n;
const NUMBERS: readonly number[] = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  -0,
  0,
  1,
  -1,
  0.5,
  -0.5,
  1.5,
  Number.MIN_VALUE,
  Number.EPSILON,
  Number.MAX_VALUE,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER + 1,
  Number.MIN_SAFE_INTEGER,
  2 ** 31,
  2 ** 32,
  2 ** 32 - 1,
  2 ** 63,
  2 ** 64,
  8.64e15,
  8.64e15 + 1,
  -8.64e15,
  -8.64e15 - 1,
];
const BIGINTS: readonly bigint[] = [0n, 1n, -1n, 2n ** 53n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n, 2n ** 80n];
/** Characters that are digits or letters elsewhere, spaces, signs, and halves of characters. */
const ODD = [
  ..."\0\n\t +-_.,:/~`'\"\\(){}[]%",
  ..."０１９ａｚ٠١٩०९²½ßſKıİ\u00a0\u200b\u2028\ufeff",
  "\ud800",
  "\udbff",
  "\udc00",
  "\udfff",
  "😀",
  "𝟎",
];
const LENGTHS = [
  0, 1, 2, 7, 8, 10, 12, 13, 14, 16, 17, 19, 20, 21, 26, 32, 36, 63, 64, 100, 1000, 8191, 8192,
];

/** An object that contains itself, so that JSON fails. */
function cyclic(): object {
  const object: Record<string, unknown> = { big: 5n };
  object.self = object;
  return object;
}

class Odd {
  readonly ticks = 5;
  get timestamp(): number {
    return 5;
  }
}

export class Junk {
  constructor(readonly random: Random) {}

  /** Anything at all. */
  any(): unknown {
    const { random } = this;
    switch (random.below(12)) {
      case 0:
        return undefined;
      case 1:
        return random.pick([null, true, false, "", "0", "null", Symbol.iterator, Symbol("s"), Symbol()]);
      case 2:
      case 3:
        return this.number();
      case 4:
        return this.bigint();
      case 5:
      case 6:
        return this.string();
      case 7:
        return this.time();
      case 8:
        return this.bytes(random.pick([0, 7, 8, 10, 16]));
      default:
        return this.object();
    }
  }

  /** Any number. */
  number(): number {
    const { random } = this;
    switch (random.below(5)) {
      case 0:
        return random.below(70_000);
      case 1:
        return Number(random.edgy(random.between(1, 64)));
      case 2:
        return (random.fraction() - 0.5) * 10 ** random.between(-20, 20);
      default:
        return random.pick(NUMBERS);
    }
  }

  /** Any bigint. */
  bigint(): bigint {
    const { random } = this;
    const value = random.make(
      () => random.pick(BIGINTS),
      () => random.edgy(random.between(1, 130)),
      () => (random.oneIn(8) ? HUGE : random.bits(70)),
    );
    return random.oneIn(4) ? -value : value;
  }

  /** A character: any code unit, an odd one, or one that is a digit modulo 256. */
  character(): string {
    const { random } = this;
    switch (random.below(4)) {
      case 0:
        return random.pick(ODD);
      case 1:
        return String.fromCharCode(random.below(65_536));
      case 2:
        return String.fromCharCode(random.pick([48, 50, 57, 65, 97, 120, 122]) + 256 * random.below(256));
      default:
        return String.fromCharCode(random.between(48, 122));
    }
  }

  /** Any string. */
  string(): string {
    const { random } = this;
    const length = random.oneIn(2000) ? 100_000 : random.oneIn(3) ? random.pick(LENGTHS) : random.below(22);
    if (length > 64) {
      return this.character().repeat(length);
    }
    const digits = random.pick([
      "0123456789",
      "23456789abcdefghijklmnopqrstuvwx",
      "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
    ]);
    let text = "";
    const oddness = random.pick([0, 0, 10, 1]);
    for (let i = 0; i < length; i++) {
      const odd = oddness > 0 && random.oneIn(oddness);
      text += odd ? this.character() : digits.charAt(random.below(digits.length));
    }
    return text;
  }

  /** A text of a format, correct or with one fault. */
  text(reference: Reference, form = reference.spec.form): string {
    const { random } = this;
    let text = reference.text(random.bits(90) % (reference.largest + 1n), form);
    const at = random.below(text.length + 1);
    switch (random.below(10)) {
      case 0:
        text = text.slice(0, at) + this.character() + text.slice(at + random.below(2));
        break;
      case 1:
        text = text.slice(0, at) + text.slice(at + 1);
        break;
      case 2:
        text = random.pick(["0", "+", "-", " ", "0x", "\ufeff"]) + text;
        break;
      case 3:
        text = text + random.pick([" ", "\n", "\0", "n", ".0", "e0"]);
        break;
      case 4:
        text = random.oneIn(2) ? text.toUpperCase() : text.toLowerCase();
        break;
      case 5:
        text = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) + 256) + text.slice(at + 1);
        break;
      default:
    }
    return text;
  }

  /** Something similar to an ID of a format. */
  id(reference: Reference): unknown {
    const { random } = this;
    switch (random.below(6)) {
      case 0:
        return this.any();
      case 1:
      case 2:
        return this.text(reference);
      case 3:
      case 4:
        return reference.idOf(random.edgy(reference.spec.bytes * 8) % (reference.largest + 1n));
      default:
        return random.make<unknown>(
          () => this.bigint(),
          () => this.number(),
          () => new String(this.text(reference)),
          () => Object(reference.idOf(5n)),
          () => [this.text(reference)],
        );
    }
  }

  /** Something similar to a time. */
  time(): unknown {
    const { random } = this;
    return random.make<unknown>(
      () => this.number(),
      () => new Date(this.number()),
      () => new realm.Date(this.number()),
      () => new (class extends Date {})(this.number()),
      () => Object.create(Date.prototype),
      () => new Proxy(new Date(0), {}),
      () => new Date(0).toISOString(),
      () => random.below(2 ** 31) * 1000,
      () => ({ getTime: () => 5, valueOf: () => 5 }),
    );
  }

  /** Bytes, or something similar. */
  bytes(length: number): unknown {
    const { random } = this;
    const filled = <T extends Uint8Array>(bytes: T): T => {
      for (let i = 0; i < bytes.length; i++) {
        bytes[i] = random.oneIn(3) ? random.pick([0, 127, 128, 255]) : random.below(256);
      }
      return bytes;
    };
    const n = random.oneIn(6) ? random.below(40) : length;
    switch (random.below(20)) {
      case 0: {
        const bytes = new Uint8Array(n);
        structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
        return bytes;
      }
      case 1:
        return filled(new Uint8Array(new SharedArrayBuffer(n)));
      case 2: {
        // Resizable, and perhaps shrunk until the view is out of bounds.
        const options = { maxByteLength: n + 8 };
        const buffer = Reflect.construct(ArrayBuffer, [n, options]) as ArrayBuffer & {
          resize(n: number): void;
        };
        const bytes = filled(random.oneIn(2) ? new Uint8Array(buffer) : new Uint8Array(buffer, 0, n));
        buffer.resize(random.pick([n, n + 8, Math.max(0, n - 1), 0]));
        return bytes;
      }
      case 3:
        return filled(Buffer.allocUnsafe(n + 3).subarray(3));
      case 4:
        return filled(new realm.Uint8Array(n));
      case 5:
        return new Uint8ClampedArray(n);
      case 6:
        return new Uint16Array(n);
      case 7:
        return new DataView(new ArrayBuffer(n));
      case 8:
        return new ArrayBuffer(n);
      case 9:
        return Array.from({ length: n }, () => random.below(256));
      case 10:
        return { [Symbol.toStringTag]: "Uint8Array", length: n };
      case 11:
        return random.oneIn(2) ? Object.create(Uint8Array.prototype) : new Proxy(new Uint8Array(n), {});
      case 12:
        return new (class extends Uint8Array {
          override get length(): number {
            return length;
          }
        })(n);
      default:
        return filled(new Uint8Array(n));
    }
  }

  /** An object, a function, or a proxy of one. */
  object(): unknown {
    const { random } = this;
    const throwing = () => {
      throw mark("conversion");
    };
    return random.make<unknown>(
      () => ({}),
      () => [],
      () => [random.below(256), random.below(256)],
      () => Object.freeze({ ticks: 5 }),
      cyclic,
      () => Object.create(null),
      () => new Odd(),
      () => ({ valueOf: throwing, toString: throwing, toJSON: throwing, [Symbol.toPrimitive]: throwing }),
      () => ({ valueOf: () => 5, toString: () => "5", length: 8 }),
      () => new Map([["partition", 7]]),
      () => new Number(this.number()),
      () => new String(this.string()),
      () => Object(this.bigint()),
      () => Object(Symbol("boxed")),
      () => new Error("an error"),
      () => Promise.resolve(5),
      () => Object.assign([1, 2], { [Symbol.iterator]: 5 }),
      () => new Proxy([1, 2], {}),
      () => this.revoked([]),
      () => ({ [Symbol.toStringTag]: "Object", partition: 7 }),
      () => () => 5,
      () => class {},
      () => /x/g,
      () => new realm.Object(),
      () => new realm.Array(3, 4),
      () => new realm.Map(),
      () => new AbortController().signal,
      () => Object.create(AbortSignal.prototype),
      () => this.revoked(),
      () => this.trapped(),
    );
  }

  /** A proxy that has been revoked. */
  revoked(target: object = {}): object {
    const { proxy, revoke } = Proxy.revocable(target, {});
    revoke();
    return proxy;
  }

  /** A proxy whose traps all throw. */
  trapped(target: object = {}): object {
    const throwing = () => {
      throw mark("trap");
    };
    const every = new Proxy({}, { get: () => throwing });
    return new Proxy(target, every);
  }
}
