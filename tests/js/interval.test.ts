/**
 * The interval of ID time of a generator, set in its slot at the boundary (nothing sets it yet from an option): outside it
 * there is no ID, and the error says why.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GraupelError, sno, twitter } from "graupel";
import { emptyRegistry } from "./support/registry.ts";

/** What the test needs to know of a cell. */
interface Cell {
  readonly core: { readonly wasm: Record<string, (...numbers: number[]) => number> };
  readonly slot: number;
}
type Registry = { readonly entries: Map<string, { readonly cell: Cell }[]> };

/** The build helper has no types. */
const NAMES = new URL("../../xtask/lib/names.mjs", import.meta.url).href;
const { shortNames } = (await import(NAMES)) as { shortNames: Record<string, string> };
const EXPORT = shortNames.$interval as string;
const START = Date.UTC(2025, 0, 1);

/** Sets the interval of the only generator of the realm. */
function setInterval(from: number, until: number): void {
  const { entries } = (globalThis as unknown as Record<symbol, Registry>)[
    Symbol.for("graupel.registry")
  ] as Registry;
  const [[{ cell }]] = [...entries.values()] as [[{ cell: Cell }]];
  assert.equal(cell.core.wasm[EXPORT]?.(cell.slot, from, until), 0);
}

const formats = {
  twitter: [twitter, (options: object) => twitter.generator({ datacenterId: 1, workerId: 2, ...options })],
  sno: [sno, (options: object) => sno.generator({ partition: 1, ...options })],
} as const;

for (const [name, [format, make]] of Object.entries(formats)) {
  const { tickMs } = format.layout;
  const tick = Math.ceil((START - format.epoch) / tickMs);
  const time = (ticks: number) => format.epoch + (tick + ticks) * tickMs;

  test(`${name}: no ID outside the interval, and an error that says so`, async () => {
    emptyRegistry();
    let now = time(0);
    const g = make({
      clock: () => now,
      clockBackwards: "hold",
      sequenceFull: "borrow",
      maxAheadMs: 0,
      maxWaitMs: 0,
    });
    g.next();
    g.next();
    setInterval(tick + 10, tick + 20);
    const outside = (error: unknown) => {
      assert.ok(GraupelError.is(error));
      assert.equal((error as GraupelError).code, "OUTSIDE_INTERVAL");
      assert.doesNotMatch((error as GraupelError).message, /past the last tick/);
      return true;
    };
    for (const ticks of [1, 9, 20, 30]) {
      now = time(ticks);
      assert.throws(() => g.next(), outside, `${ticks}`);
      assert.throws(() => g.nextMany(3), outside, `${ticks}`);
      await assert.rejects(g.nextAsync(), outside, `${ticks}`);
      assert.throws(() => g.at(time(ticks)), outside, `${ticks}`);
    }
    now = time(10);
    assert.equal(format.inspect(g.next() as never).timestamp, now);
    now = time(19);
    assert.equal(g.nextMany(5).length, 5);
    assert.equal(g.stats().issued, 8);
    // The generators of one identity share it.
    now = time(20);
    assert.throws(() => make({ clock: () => now }).next(), outside);
  });
}
