// The text that an editor shows for the package's names. Every member of every format, generator
// and option must have one, even if a format is composed from another type.

import assert from "node:assert/strict";
import { join } from "node:path";
import { before, test } from "node:test";
import type typescript from "typescript";
import { compiler } from "../support/compiler.ts";
import { facts } from "../support/make.ts";
import { testsJs } from "../support/places.ts";

/**
 * The file does not exist. The compiler's host returns it for this path, from which the package can
 * be imported.
 */
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

/**
 * The members of all subjects of a kind, with the text that an editor shows and whether the member
 * is a method.
 */
function members(kind: string): [path: string, words: string, method: boolean][] {
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(file) as typescript.Symbol);
  const subjects = exported.find(({ name }) => name === kind) as typescript.Symbol;
  const typeOf = (symbol: typescript.Symbol) => checker.getTypeOfSymbolAtLocation(symbol, file);
  return typeOf(subjects)
    .getProperties()
    .flatMap((subject) =>
      typeOf(subject)
        .getProperties()
        .map((member): [string, string, boolean] => [
          `${subject.name}.${member.name}`,
          ts.displayPartsToString(member.getDocumentationComment(checker)).replace(/\s+/g, " "),
          typeOf(member).getCallSignatures().length > 0,
        ]),
    );
}

/** Units, ranges and defaults. */
const SAID: Readonly<Record<string, RegExp>> = {
  "sno.maxWaitMs": /in milliseconds: 0 to 2,147,483,647; 100 by default/,
  "sno.maxAheadMs": /in milliseconds: 0 to 2,147,483,647; 10,000 by default/,
  "sno.partition": /0 to 65,535/,
  "ulidFlake.scalability": /0 to 31; 0 by default/,
  "ulidFlake.entropySize": /1 \(the default\) to 3/,
  "async.metabyte": /0 to 255; 0 by default/,
  "mastodon.nextMany": /\(0 to 16,777,216\) as a plain array/,
};

for (const [kind, least] of Object.entries({ formats: 200, generators: 35, options: 30, data: 40 })) {
  test(`hovering, ${kind}: every member says what it is, its range, and a method which errors it has`, () => {
    const all = members(kind);
    assert.ok(all.length >= least, `only ${all.length}`);
    for (const [path, said, isMethod] of all) {
      assert.notEqual(said.trim(), "", path);
      if (isMethod && ["formats", "generators"].includes(kind))
        assert.match(said, /Errors: |Rejects with the errors of |The same as `/, path);
      if (["options", "generators"].includes(kind)) assert.match(said, SAID[path] ?? /./, path);
    }
    // Every entry of the table must match a member.
    const paths = ["options", "generators"].flatMap(members).map(([path]) => path);
    for (const path of Object.keys(SAID)) assert.ok(paths.includes(path), path);
  });
}
