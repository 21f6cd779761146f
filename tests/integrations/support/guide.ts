/**
 * The guides. The blocks of a kind form a program, which runs where the libraries are installed.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { root } from "../../js/support/places.ts";
// @ts-expect-error: no types
import { pageOf, printedBy, programsOf } from "../../support/pages.mjs";

/** A user's project with the package and the libraries. */
export const project = join(realpathSync(join(import.meta.dirname, "..", "node_modules")), "..");

/** Compiles TypeScript to JavaScript, with legacy decorators, which frameworks use. */
const compiled = async (code: string): Promise<string> =>
  (
    await transform(code, {
      loader: "ts",
      tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
    })
  ).code;

/**
 * Writes the programs of a page as modules into a folder of the project, which exists while `work`
 * runs.
 */
export async function withModules<T>(
  page: string,
  extension: "mjs" | "mts",
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(project, "page-"));
  try {
    for (const [kind, code] of programsOf(pageOf(page))) {
      writeFileSync(join(folder, `${kind}.${extension}`), extension === "mjs" ? await compiled(code) : code);
    }
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Compiles files of a folder. `config`: the content of its `tsconfig.json`. */
export async function compile(folder: string, config: object): Promise<void> {
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const run = promisify(execFile)(process.execPath, [tsc, "--project", folder]);
  await run.catch(({ stdout }) => assert.fail(stdout));
}

/** Checks that the programs of a page, and one that uses them, compile strictly. */
export const compiles = (page: string, files: readonly string[], options: object, used = ""): Promise<void> =>
  withModules(page, "mts", async (folder) => {
    const strict = { module: "nodenext", target: "es2022", strict: true, noEmit: true, skipLibCheck: true };
    writeFileSync(join(folder, "used.mts"), used);
    await compile(folder, { compilerOptions: { ...strict, ...options }, files: [...files, "used.mts"] });
  });

/** The exports of a program of a page. The program may import others as `./<kind>.mjs`. */
export const importFrom = <Exports>(page: string, kind: string): Promise<Exports> =>
  withModules(page, "mjs", (folder) => import(pathToFileURL(join(folder, `${kind}.mjs`)).href));

/** The guide's function for SQLite drivers without a setting for all statements. */
export const { exactIntegers } = await importFrom<{ exactIntegers(database: unknown): void }>(
  "sqlite.md",
  "exact-integers",
);

/**
 * Runs a guide's program, and compares its output with the comments after `console.log(...)`.
 * `lines`: the number of output lines; `run`: runs the program in a runtime other than Node.
 */
export async function runGuide(
  page: string,
  kind: string,
  {
    env,
    lines,
    run = async (program) => {
      const options = { cwd: project, env: { ...process.env, ...env } };
      return (await promisify(execFile)(process.execPath, [program], options)).stdout;
    },
  }: {
    readonly env: Readonly<Record<string, string>>;
    readonly lines: number;
    readonly run?: (program: string) => Promise<string>;
  },
): Promise<void> {
  const code = programsOf(pageOf(page)).get(kind) ?? assert.fail(`${page} has no program "${kind}"`);
  const wanted = printedBy(code);
  assert.equal(wanted.length, lines, "lines that the guide prints");
  const program = join(project, `${page.replace(/\W/g, "-")}-${kind}.mjs`);
  writeFileSync(program, code);
  try {
    const stdout = await run(program);
    assert.deepEqual(stdout.trimEnd().split("\n"), wanted);
  } finally {
    rmSync(program);
  }
}
