// The two cores: which one is loaded on which platform, the errors without WebAssembly, and the
// features that both can do without. For a policy that forbids WebAssembly, see
// tests/everywhere/hosts/browsers.mjs. For both cores in one process, see
// identity/shared-state.test.ts.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { testsJs } from "../support/places.ts";
import { node } from "../support/user-project.ts";

/** Runs a program and returns the JSON that it prints. */
async function tell(program: string, ...flags: string[]): Promise<unknown> {
  const code = `
    const answer = (value) => console.log(JSON.stringify(value));
    const outcome = (work) => { try { return work(); } catch (error) { return error; } };
    ${program}`;
  return JSON.parse(await node(testsJs, ...flags, "--input-type=module", "--eval", code));
}

/** Counts the compiled modules. */
const COUNT = `
  let compiled = 0;
  if (globalThis.WebAssembly) {
    const { Module } = WebAssembly;
    WebAssembly.Module = class extends Module { constructor(bytes) { super(bytes); compiled++; } };
  }`;

describe("which core is loaded", () => {
  const cases: [string, string, string[], number][] = [
    ["by default", "graupel", [], 1],
    ["by name", "graupel/pure", [], 0],
    ...["workerd", "edge-light", "react-native"].map((condition): [string, string, string[], number] => [
      `on ${condition}`,
      "graupel",
      [`--conditions=${condition}`],
      0,
    ]),
    ["by name, without a compiler", "graupel/pure", ["--jitless"], 0],
  ];
  for (const [where, entry, flags, expected] of cases) {
    test(`${where}: ${expected === 1 ? "WebAssembly" : "JavaScript"}`, async () => {
      for (const part of ["", "/sno"]) {
        const name = entry + part;
        const program = `${COUNT}
          const require = process.getBuiltinModule("module").createRequire(import.meta.url);
          const answers = [];
          for (const { sno } of [await import("${name}"), require("${name}")]) {
            answers.push(sno.isValid(sno.generator({ isolated: true }).next()), compiled);
          }
          answer([...answers, require.resolve("${name}").split(".").pop()]);`;
        // With React Native's preset, Jest requires files with its condition as CommonJS.
        assert.deepEqual(await tell(program, ...flags), [true, expected, true, 2 * expected, "cjs"], name);
      }
    });
  }
});

describe("where WebAssembly cannot be had, the error says why, and what to import", () => {
  const failing = (error: string) => `WebAssembly.Module = class { constructor() { throw ${error}; } };`;
  const cases: Record<string, [string, RegExp, string]> = {
    missing: ["delete globalThis.WebAssembly;", /WebAssembly is not defined/, "ReferenceError"],
    "too large for the main thread": [
      failing(
        `new RangeError("WebAssembly.Compile is disallowed on the main thread, if the buffer size is larger than 4KB.")`,
      ),
      /disallowed on the main thread/,
      "RangeError",
    ],
  };
  for (const [name, [before, words, cause]] of Object.entries(cases)) {
    test(name, async () => {
      const program = `${before}
        const { discord } = await import("graupel");
        const { name, code, message, cause } = outcome(discord.range);
        answer([name, code, message, cause.name, discord.inspect("175928847299117063").increment]);`;
      const [type, code, message, reason, increment] = (await tell(program)) as string[];
      assert.deepEqual([type, code, reason, increment], ["GraupelError", "CORE", cause, 7]);
      assert.match(message ?? "", /^no WebAssembly .*import graupel\/pure \[CORE\]$/s);
      assert.match(message ?? "", words);
    });
  }
});

test("after the failure, graupel/pure takes over the same identities, also sno's drawn partition", async () => {
  const program = `
    const { Module } = WebAssembly;
    WebAssembly.Module = class { constructor() { throw new Error("a policy forbids it"); } };
    const [first, second] = [await import("graupel"), await import("graupel/pure")];
    const makersOf = ({ sno, twitter }) => [sno.generator(), twitter.generator({ datacenterId: 1, workerId: 2 })];
    const failed = makersOf(first).map((maker) => outcome(() => maker.next()).code);
    const ids = makersOf(second).flatMap((maker) => maker.nextMany(100));
    WebAssembly.Module = Module;
    ids.push(...makersOf(first).flatMap((maker) => maker.nextMany(100)));
    answer([failed, new Set(ids).size]);`;
  assert.deepEqual(await tell(program), [["CORE", "CORE"], 400]);
});

describe("what platforms may lack", () => {
  for (const entry of ["graupel", "graupel/pure"]) {
    test(`${entry} without text coders, finalization and shared memory`, async () => {
      const program = `
        for (const name of ["TextEncoder", "TextDecoder", "FinalizationRegistry", "SharedArrayBuffer", "Atomics"]) {
          delete globalThis[name];
        }
        const { discord, sno, ulidFlake } = await import("${entry}");
        const ids = sno.generator({ isolated: true }).nextMany(5000);
        const more = [1, 2].map(() => sno.generator({ isolated: true }).next());
        const waited = discord.generator({ internalWorkerId: 1, internalProcessId: 1 }).nextMany(10_000);
        answer([new Set(ids).size, ids.every(sno.isValid), more.every(sno.isValid), new Set(waited).size,
          ulidFlake.isValid(ulidFlake.next())]);`;
      assert.deepEqual(await tell(program), [5000, true, true, 10_000, true]);
    });

    test(`${entry} without crypto, as in Jest 27: Node's own module`, async () => {
      const program = `
        delete globalThis.crypto;
        const { sno, ulidFlake } = await import("${entry}");
        const partitions = Array.from({ length: 20 }, () => sno.generator({ isolated: true }).partition);
        const ids = [1, 2].map(() => ulidFlake.generator({ isolated: true, clock: () => 1.75e12 }).next());
        answer([new Set(partitions).size > 10, new Set(ids).size]);`;
      assert.deepEqual(await tell(program), [true, 2]);
    });

    // React Native has a `process`, but not Node's.
    for (const [where, rest] of [
      ["anywhere", "delete globalThis.navigator; delete globalThis.process;"],
      [
        "in React Native",
        'process = { env: {} }; Object.defineProperty(globalThis, "navigator", { value: { product: "ReactNative" } });',
      ],
    ]) {
      test(`${entry} without crypto, ${where}: the error says what to do`, async () => {
        const program = `
          delete globalThis.crypto;
          ${rest}
          const { sno, ulidFlake } = await import("${entry}");
          const errors = [sno, ulidFlake].map((format) => outcome(() => format.next()));
          const own = sno.generator({ partition: 1 }).next();
          const given = ulidFlake.generator({ random: (bytes) => void bytes.fill(7) }).next();
          answer([errors.map(({ code, message }) => [code, message]), sno.isValid(own), ulidFlake.isValid(given)]);`;
        const [errors, ...works] = (await tell(program)) as [[string, string][], boolean, boolean];
        assert.deepEqual(works, [true, true]);
        for (const [code, message] of errors) {
          assert.equal(code, "RANDOM_FAILED");
          assert.match(
            message,
            /: no random bytes \(ReferenceError: crypto is not defined\); set globalThis\.crypto, or import react-native-get-random-values \[/,
          );
        }
        assert.match(errors[0]?.[1] ?? "", /^pass a partition: /);
      });
    }
  }
});

test("either core starts although Object.prototype has what property descriptors are made of", async () => {
  for (const entry of ["graupel", "graupel/pure"]) {
    for (const key of ["value", "writable", "get", "set"]) {
      const program = `
        import { sno } from "${entry}";
        Object.prototype.${key} = ${key === "writable" ? true : "() => 7"};
        const valid = sno.isValid(sno.generator({ partition: 1 }).next());
        delete Object.prototype.${key};
        answer(valid);`;
      assert.equal(await tell(program), true, `${entry}, ${key}`);
    }
  }
});
