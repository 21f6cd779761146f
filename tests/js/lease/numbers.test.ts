/** Numbers without a store: numbers from the platform, and the collision risk of random ones. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { collisionRisk } from "../../../js/lease/collision-risk.ts";
import { ordinal } from "../../../js/lease/ordinal.ts";
import { replace } from "../support/replace.ts";

/** The ordinal if an environment variable has this value. */
function ordinalOf(name: string, value: string | undefined, of = 32): number {
  const restore = replace([process, "env", value === undefined ? {} : { [name]: value }]);
  try {
    return ordinal({ from: name === "HOSTNAME" ? "hostname" : name, of });
  } finally {
    restore();
  }
}

test("an ordinal is what its source says", () => {
  for (const [number, name, value] of [
    [0, "HOSTNAME", "orders-0"],
    [31, "HOSTNAME", "orders-31"],
    [7, "HOSTNAME", "my-shop-orders-7"],
    [5, "NODE_APP_INSTANCE", "5"],
  ] as const) {
    assert.equal(ordinalOf(name, value), number);
  }
});

test("a source that is missing, empty, no number or too large is refused", () => {
  const hosts = [
    "orders",
    "12",
    "orders-",
    "orders-03",
    "orders-x7",
    "orders-5d4f7c9b8-abcde",
    "orders- 3",
    "-",
  ];
  for (const value of hosts) {
    assert.throws(() => ordinalOf("HOSTNAME", value), { code: "TYPE", field: "hostname", value });
  }
  for (const value of [undefined, "", " ", "x", "3.0", "-1", "1e1", "0x1", "９"]) {
    assert.throws(() => ordinalOf("THE_NUMBER", value), { code: "TYPE", field: "THE_NUMBER" });
  }
  const range = { code: "RANGE", range: { min: 0, max: 31 } };
  assert.throws(() => ordinalOf("HOSTNAME", "orders-32"), range);
  assert.throws(() => ordinalOf("THE_NUMBER", "4294967296", 2 ** 31), { code: "RANGE" });
  for (const [code, wrong] of [
    ["TYPE", { from: "hostname" }],
    ["TYPE", { of: 3 }],
    ["TYPE", { from: "", of: 3 }],
    ["TYPE", { from: 5, of: 3 }],
    ["TYPE", { from: "X", of: "3" }],
    ["RANGE", { from: "X", of: 0 }],
    ["UNKNOWN_OPTION", { from: "X", of: 3, or: 1 }],
  ] as const) {
    assert.throws(() => ordinal(wrong as never), { code });
  }
});

test("the risk of random numbers is the birthday problem's", () => {
  // Widely published odds, to a tenth of a percent.
  const published =
    "5 4 17.7, 5 8 61.4, 10 20 17.1, 10 50 70.2, 12 100 70.4, 16 100 7.3, 16 300 49.6, 24 1000 2.9";
  for (const row of published.split(", ")) {
    const [bits = 0, processes = 0, percent = 0] = row.split(" ").map(Number);
    const risk = collisionRisk({ bits, processes }) * 100;
    assert.ok(Math.abs(risk - percent) < 0.3, `${bits} ${processes} ${risk}`);
  }
  assert.equal(collisionRisk({ bits: 5, processes: 1 }), 0);
  assert.equal(collisionRisk({ bits: 5, processes: 33 }), 1);
  // The odds do not jump where the approximation for more processes replaces the sum.
  const [a = 0, b = 0] = [100_000, 100_002].map((processes) => collisionRisk({ bits: 40, processes }));
  assert.ok(b > a && (b - a) / a < 1e-4, `${a} ${b}`);
  assert.ok(Math.abs(collisionRisk({ bits: 64, processes: 2 ** 31 }) - 0.1175) < 0.001);
  assert.throws(() => collisionRisk({ bits: 65, processes: 1 }), { code: "RANGE" });
});
