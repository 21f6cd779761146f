// What drivers and databases do to an ID, by KIND.

const bytesOf = (id) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(id));
  return bytes;
};

const KINDS = {
  same: (id) => id,
  text: String,
  number: Number,
  // Rounded by another program before it became text or a bigint.
  "rounded text": (id) => String(Number(id)),
  "rounded bigint": (id) => BigInt(Number(id)),
  bigint: BigInt,
  negative: (id) => BigInt.asIntN(64, BigInt(id)),
  "32 bits": (id) => Number(BigInt.asIntN(32, BigInt(id))),
  bytes: bytesOf,
  padded: (id) => `${id}  `,
  "upper case": (id) => id.toUpperCase(),
  long: (id) => ({ __proto__: { constructor: class Long {}, toString: () => `${id}` } }),
  nothing: () => undefined,
  null: () => null,
  object: () => ({}),
  hostile: () => ({
    toString() {
      throw new Error("no text");
    },
  }),
  escape: () => "\u001b[31mred",
  fraction: () => 0.5,
  throws: () => {
    throw new TypeError("out of range");
  },
};

export default async (id) => KINDS[process.env.KIND](id);
export const close = () => console.error("closed");
