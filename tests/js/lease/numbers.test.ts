/** Numbers without a store: from the platform, and the risk of random ones. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { collisionRisk } from "../../../js/lease/collision-risk.ts";
import { ordinal } from "../../../js/lease/ordinal.ts";

/** Runs with environment variables. */
function within<T>(variables: Readonly<Record<string, string | undefined>>, work: () => T): T {
  const before = { ...process.env };
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  try {
    return work();
  } finally {
    process.env = before;
  }
}

test("an ordinal is what its source says", () => {
  for (const [HOSTNAME, number] of [
    ["orders-0", 0],
    ["orders-31", 31],
    ["my-shop-orders-7", 7],
  ] as const) {
    assert.equal(
      within({ HOSTNAME }, () => ordinal({ from: "hostname", of: 32 })),
      number,
    );
  }
  assert.equal(
    within({ NODE_APP_INSTANCE: "5" }, () => ordinal({ from: "NODE_APP_INSTANCE", of: 6 })),
    5,
  );
});

test("a source that is missing, empty, no number or too large is refused", () => {
  for (const HOSTNAME of [
    "orders",
    "12",
    "orders-",
    "orders-03",
    "orders-x7",
    "orders-5d4f7c9b8-abcde",
    "orders- 3",
    "-",
  ]) {
    within({ HOSTNAME }, () => {
      assert.throws(() => ordinal({ from: "hostname", of: 32 }), {
        code: "TYPE",
        field: "hostname",
        value: HOSTNAME,
      });
    });
  }
  for (const value of [undefined, "", " ", "x", "3.0", "-1", "1e1", "0x1", "９"]) {
    within({ THE_NUMBER: value }, () => {
      assert.throws(() => ordinal({ from: "THE_NUMBER", of: 32 }), { code: "TYPE", field: "THE_NUMBER" });
    });
  }
  within({ HOSTNAME: "orders-32", THE_NUMBER: "4294967296" }, () => {
    assert.throws(() => ordinal({ from: "hostname", of: 32 }), { code: "RANGE", range: { min: 0, max: 31 } });
    assert.throws(() => ordinal({ from: "THE_NUMBER", of: 2 ** 31 }), { code: "RANGE" });
  });
  for (const wrong of [
    { from: "hostname" },
    { of: 3 },
    { from: "", of: 3 },
    { from: 5, of: 3 },
    { from: "X", of: "3" },
  ]) {
    assert.throws(() => ordinal(wrong as never), { code: "TYPE" });
  }
  assert.throws(() => ordinal({ from: "X", of: 0 }), { code: "RANGE" });
  assert.throws(() => ordinal({ from: "X", of: 3, or: 1 } as never), { code: "UNKNOWN_OPTION" });
});

test("the risk of random numbers is the birthday problem's", () => {
  // Odds that are widely published, to a tenth of a percent.
  for (const [bits, processes, percent] of [
    [5, 4, 17.7],
    [5, 8, 61.4],
    [10, 20, 17.1],
    [10, 50, 70.2],
    [12, 100, 70.4],
    [16, 100, 7.3],
    [16, 300, 49.6],
    [24, 1000, 2.9],
  ] as const) {
    assert.ok(
      Math.abs(collisionRisk({ bits, processes }) * 100 - percent) < 0.3,
      `${bits} ${processes} ${collisionRisk({ bits, processes })}`,
    );
  }
  assert.equal(collisionRisk({ bits: 5, processes: 1 }), 0);
  assert.equal(collisionRisk({ bits: 5, processes: 33 }), 1);
  // Where all are added up, and where they are not, the odds meet.
  const [a, b] = [100_000, 100_002].map((processes) => collisionRisk({ bits: 40, processes })) as [
    number,
    number,
  ];
  assert.ok(b > a && (b - a) / a < 1e-4, `${a} ${b}`);
  assert.ok(Math.abs(collisionRisk({ bits: 64, processes: 2 ** 31 }) - 0.1175) < 0.001);
  assert.throws(() => collisionRisk({ bits: 65, processes: 1 }), { code: "RANGE" });
});
