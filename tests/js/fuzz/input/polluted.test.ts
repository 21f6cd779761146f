/**
 * The package must not read from `Object.prototype`, which another package may have polluted.
 * Defines a getter on it for every identifier in the published code and checks that the package
 * calls none of them.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { GraupelError, identify, nanoflake, sno, snowflake, snowflakeSI } from "graupel";
import type { AnyFormat, AnyGenerator } from "../../support/any-format.ts";
import { rowOf } from "../../support/formats.ts";
import { packageDirectory } from "../../support/places.ts";

const dist = join(packageDirectory, "dist");
const shipped = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".js") && !name.startsWith("cli"),
);
const words = new Set(
  shipped.flatMap((name) => readFileSync(join(dist, name), "utf8").match(/[A-Za-z_$][\w$]*/g) ?? []),
);

/** Names that the language itself reads, in iterators, property descriptors and proxies. */
const OF_THE_LANGUAGE = ["return", "next", "done", "value", "get", "set", "has", "writable", "configurable"];
const usual = [...words].filter((word) => !(word in Object.prototype || OF_THE_LANGUAGE.includes(word)));

/**
 * Runs `work` with all names on `Object.prototype`. Returns the names that the package read or
 * overwrote, each with its position.
 */
async function readsDuring(work: () => unknown, names: readonly string[] = usual): Promise<string[]> {
  const reads = new Set<string>();
  const seen = (name: string) => {
    const [caller = "", ...others] = new Error().stack?.split("\n").slice(3) ?? [];
    // If a function of the language, such as `Object.assign`, is in between, uses the frame that
    // called it.
    const found = caller.includes("<anonymous>") ? others[0] : caller;
    if (found?.includes(packageDirectory)) reads.add(`${name} ${found.trim()}`);
  };
  const define = (object: object, name: string, descriptor: object) =>
    Object.defineProperty(object, name, { __proto__: null, configurable: true, ...descriptor } as object);
  for (const name of names) {
    define(Object.prototype, name, {
      get: () => seen(name),
      set(value: unknown) {
        // Properties of errors are assigned. What a polluted prototype does with them is harmless.
        if (!(this instanceof Error)) seen(name);
        define(this, name, { value, writable: true, enumerable: true });
      },
    });
  }
  try {
    await work();
  } finally {
    for (const name of names) Reflect.deleteProperty(Object.prototype, name);
  }
  return [...reads];
}

/**
 * Calls every method of a format and of its generators, first with valid arguments and then with
 * wrong ones. If a method is not listed here, an ID is valid for a format, and no argument for a
 * generator.
 */
async function useAll(format: AnyFormat, fixed: object): Promise<void> {
  const generator = format.generator(fixed);
  const id = generator.next();
  const snapshot = JSON.parse(JSON.stringify(generator.snapshot()));
  const watched = { isolated: true, notBefore: Date.now(), onOverflow() {}, onClockBackwards() {} };
  const right: Readonly<Record<string, readonly unknown[]>> = {
    ...{ next: [], nextMany: [3], nextManyText: [3], nextTyped: [3] },
    ...{ nextAsync: [{ signal: new AbortController().signal }], at: [format.epoch + 1e5] },
    ...{ generator: [{ ...fixed, snapshot }], range: [new Date(), undefined], compare: [id, id] },
    ...{ fromBytes: [format.toBytes(id)], fromBigInt: [format.toBigInt(id)] },
    ...{ compose: [format.inspect(id)], with: [id, { ticks: 5 }], withEpoch: [1e12] },
    fromUUID: [sno.toUUID("brpk4q72xwf2m63l")],
  };
  const frozen = { isolated: true, clock: () => format.epoch + 1e6, maxWaitMs: 1 };
  const makers = [generator, format.generator({ ...fixed, ...frozen })];
  for (const object of [format, format["~standard"], ...makers]) {
    for (const [name, method] of Object.entries(object)) {
      if (typeof method !== "function") continue;
      await method(...(right[name] ?? (makers.includes(object as AnyGenerator) ? [] : [id])));
      for (const wrong of [Symbol("none"), {}, "!!", 70_000]) {
        try {
          await method(wrong, wrong);
        } catch (error) {
          assert.ok(GraupelError.is(error) && typeof error.toJSON().code === "string", `${name}: ${error}`);
        }
      }
    }
  }
  format.generator({ ...fixed, ...watched }).nextMany(2);
  identify(format.format(id));
  for (const options of [{ bogus: 1 }, { snapshot: { ...snapshot, version: 0 } }])
    assert.throws(() => format.generator({ ...fixed, ...options }), GraupelError.is);
}

test("the published code has enough names to try", () => {
  assert.ok(usual.length > 300, `${usual.length} names in ${shipped.length} files`);
});

// The other formats share the code of these.
for (const row of ["sno", "discord", "snowflake-si", "ulid-flake"].map(rowOf)) {
  test(`${row.name}: nothing is read from Object.prototype`, async () => {
    const format = row.format;
    assert.deepEqual(await readsDuring(() => useAll(format, row.fixed)), []);
  });
}

test("declarations: nothing is read from Object.prototype", async () => {
  const work = () => {
    snowflakeSI({ epoch: 1.6e12 });
    nanoflake({ epoch: 1.6e12 });
  };
  assert.deepEqual(await readsDuring(work), []);
  // With all names on `Object.prototype`, these field names would be rejected.
  const declare = () => snowflake({ epoch: 0, fields: { time: 41, worker: 10, sequence: 12 } });
  assert.deepEqual(await readsDuring(declare, ["tickMs"]), []);
});
