// What an editor shows for a name of the package: every member of every format, generator and option has its words, also where
// a format is composed from another type.

import assert from "node:assert/strict";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import type typescript from "typescript";
import { compiler } from "../support/compiler.ts";
import { facts } from "../support/make.ts";
import { testsJs } from "../support/places.ts";

/** Not written: the compiler's host returns it for this path, beside which the package is installed. */
const FILE = join(testsJs, "hovered.ts");
/** The formats that need no declaration. */
const READY = Object.values(facts).flatMap((one) => (one.declared ? [] : [one.export]));
const SUBJECTS = `
import * as graupel from "graupel";
const epoch = 1.7e12;
const { ${READY} } = graupel;
const own = graupel.snowflake({ epoch, fields: { time: 41, worker: 10, sequence: 12 } });
const nanoflake = graupel.nanoflake({ epoch });
const snowflakeSI = graupel.snowflakeSI({ epoch });
export const formats = {
  ${READY}, own, nanoflake, snowflakeSI,
};
export const generators = {
  sno: sno.generator(),
  mastodon: mastodon.generator(),
  ulidFlake: ulidFlake.generator(),
  snowflakeSI: snowflakeSI.generator({ machineId: 1 }),
};
export const options = {
  sno: {} as graupel.SnoOptions,
  ulidFlake: {} as graupel.UlidFlakeScalableOptions,
  snowflakeSI: {} as graupel.SnowflakeSISequenceOptions,
  async: {} as graupel.SnoAsyncOptions,
};
export const data = {
  error: {} as Pick<graupel.GraupelError, "code" | "field" | "value" | "range" | "toJSON">,
  range: {} as graupel.ErrorRange,
  stats: {} as graupel.Stats,
  layout: {} as graupel.Layout,
  instant: {} as graupel.Instant,
  candidate: {} as graupel.Candidate,
  snapshot: {} as graupel.IntegerSnapshot,
  sno: {} as graupel.SnoSnapshot,
};
`;

const ts = compiler("typescript");
let checker: typescript.TypeChecker;
let file: typescript.SourceFile;
before(() => {
  const options: typescript.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    lib: ["lib.es2022.d.ts"],
    types: [],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === FILE || fileExists(name);
  host.getSourceFile = (name, ...rest) =>
    name === FILE ? ts.createSourceFile(name, SUBJECTS, rest[0]) : getSourceFile(name, ...rest);
  const program = ts.createProgram([FILE], options, host);
  assert.deepEqual(
    ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText),
    [],
  );
  checker = program.getTypeChecker();
  file = program.getSourceFile(FILE) as typescript.SourceFile;
});

/** What an editor shows below the type. */
const words = (symbol: typescript.Symbol) => ts.displayPartsToString(symbol.getDocumentationComment(checker));

/** The members of the subjects of a kind: `[path, words, whether it is a method]`. */
function members(kind: string): [path: string, words: string, method: boolean][] {
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(file) as typescript.Symbol);
  const subjects = exported.find(({ name }) => name === kind) as typescript.Symbol;
  const propertiesOf = (symbol: typescript.Symbol) =>
    checker.getTypeOfSymbolAtLocation(symbol, file).getProperties();
  return propertiesOf(subjects).flatMap((subject) =>
    propertiesOf(subject).map((member): [string, string, boolean] => {
      const calls = checker.getTypeOfSymbolAtLocation(member, file).getCallSignatures();
      return [`${subject.name}.${member.name}`, words(member), calls.length > 0];
    }),
  );
}

describe("hovering", () => {
  for (const [kind, least] of Object.entries({ formats: 200, generators: 35, options: 30, data: 40 })) {
    test(`${kind}: every member says what it is`, () => {
      const all = members(kind);
      assert.ok(all.length >= least, `only ${all.length}`);
      assert.deepEqual(
        all.filter(([, said]) => said.trim() === "").map(([path]) => path),
        [],
      );
    });
  }

  test("every method of a format and of a generator says which errors it has", () => {
    const silent = [...members("formats"), ...members("generators")]
      .filter(
        ([, said, method]) => method && !/Errors: |Rejects with the errors of |The same as `/.test(said),
      )
      .map(([path]) => path);
    assert.deepEqual(silent, []);
  });

  test("units, ranges and defaults", () => {
    const said = new Map(
      [...members("options"), ...members("generators")].map(([path, text]) => [path, text]),
    );
    const expected: Record<string, RegExp> = {
      "sno.maxWaitMs": /in milliseconds: 0 to 2,147,483,647; 100 if left out/,
      "sno.maxAheadMs": /in milliseconds: 0 to 2,147,483,647; 10,000 if left out/,
      "sno.partition": /0 to 65,535/,
      "sno.sequenceMin": /lower bound/,
      "ulidFlake.scalability": /0 to 31; 0 if left out/,
      "ulidFlake.entropySize": /1 \(the default\) to 3/,
      "async.metabyte": /0 to 255; 0 if left out/,
      "mastodon.nextMany": /a plain array, 0 to 16,777,216/,
      "mastodon.nextTyped": /a typed array/,
    };
    for (const [path, pattern] of Object.entries(expected)) assert.match(said.get(path) ?? "", pattern, path);
  });
});
