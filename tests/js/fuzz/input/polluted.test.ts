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
import type { AnyFormat } from "../../support/any-format.ts";
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

/** Uses every operation of a format and its generators and causes an error of each kind. */
async function useAll(format: AnyFormat, fixed: object): Promise<void> {
  const generator = format.generator(fixed);
  const id = generator.next();
  generator.nextText();
  generator.nextMany(3);
  generator.nextManyText(2);
  generator.nextTyped?.(3);
  await generator.nextAsync({ signal: new AbortController().signal });
  generator.stats();
  generator.sequence?.();
  generator.len?.();
  const snapshot = JSON.parse(JSON.stringify(generator.snapshot()));
  format.generator({ ...fixed, snapshot }).next();
  const watched = { isolated: true, notBefore: Date.now(), onOverflow() {}, onClockBackwards() {} };
  format.generator({ ...fixed, ...watched }).nextMany(2);

  format.parse(format.format(id));
  format.isValid(id);
  format.with(format.compose(format.inspect(id)), { ticks: 5 });
  format.range(new Date(), undefined);
  format.compare(format.fromBytes(format.toBytes(id)), format.fromBigInt(format.toBigInt(id)));
  format["~standard"].validate(id);
  identify(format.format(id));

  const frozen = format.generator({
    ...fixed,
    isolated: true,
    clock: () => format.epoch + 1e6,
    maxWaitMs: 1,
  });
  for (const refused of [
    () => format.parse("!!"),
    () => format.parse(Symbol("none")),
    () => format.compose({}),
    () => format.range(2, 1),
    () => format.generator({ ...fixed, bogus: 1 }),
    () => format.generator({ snapshot: { ...snapshot, version: 0 } }),
    () => frozen.nextMany(2 ** 24),
    () => (frozen.nextTyped ?? frozen.nextMany)(2 ** 24),
    () => frozen.at(format.epoch - 1e6),
  ]) {
    assert.throws(refused, (error) => GraupelError.is(error) && typeof error.toJSON().code === "string");
  }
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

test("declarations, and the verbs of sno: nothing is read from Object.prototype", async () => {
  const work = () => {
    snowflakeSI({ epoch: 1.6e12 });
    nanoflake({ epoch: 1.6e12 });
    sno.metabyte(sno.fromUUID(sno.toUUID("brpk4q72xwf2m63l")));
  };
  assert.deepEqual(await readsDuring(work), []);
  // With all names on `Object.prototype`, these field names would be rejected.
  const declare = () => snowflake({ epoch: 0, fields: { time: 41, worker: 10, sequence: 12 } });
  assert.deepEqual(await readsDuring(declare, ["tickMs"]), []);
});
