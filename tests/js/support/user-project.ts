// Programs in separate processes, and a user's project: an empty directory with the package as its
// only dependency.

import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { root, testsJs } from "./places.ts";

/** Without npm's variables, which would make an npm started by a test work on the repository. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** npm or npx: the one that runs these tests, or the one on the path. */
export function npmProgram(name: "npm" | "npx"): string[] {
  const script = process.env.npm_execpath ?? "";
  if (basename(script) !== "npm-cli.js") return [name];
  return [process.execPath, join(dirname(script), `${name}-cli.js`)];
}

const execute = promisify(execFile);

/** Far longer than any program takes; only an endless wait lasts this long. */
const ENDLESS_MS = 600_000;

/** Runs a program until it exits. */
export async function run([program = "", ...args]: readonly string[], cwd: string): Promise<Result> {
  const limits = { timeout: ENDLESS_MS, killSignal: "SIGKILL", maxBuffer: 2 ** 28 } as const;
  const running = execute(program, args, { cwd, env, ...limits });
  running.child.stdin?.end();
  const { code = 0, stdout, stderr } = await running.catch((error) => error);
  return { code, stdout, stderr };
}

/** Runs a program that must succeed, and resolves to its output. */
export async function output(command: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await run(command, cwd);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}\n${stdout}\n${stderr}`);
  return stdout;
}

export const node = (cwd: string, ...args: string[]) => output([process.execPath, ...args], cwd);

/** Runs a module, given as text, that imports the package. Returns the JSON that it prints. */
export const told = async (program: string): Promise<unknown> =>
  JSON.parse(await node(testsJs, "--input-type=module", "--eval", program));

export const tool = (...path: string[]) => [process.execPath, join(root, "node_modules", ...path)];

/** The tarball that `npm test` packed. */
export function tarball(): string {
  const packed = join(root, "target", "pack");
  const [name = ""] = readdirSync(packed);
  return join(packed, name);
}

export class UserProject {
  private constructor(
    /** The project's directory. */
    readonly directory: string,
  ) {}

  /**
   * Creates a project that contains the package. It lacks only npm's lockfile and the link to the
   * program.
   */
  static async make(): Promise<UserProject> {
    const project = UserProject.#empty();
    mkdirSync(project.installed, { recursive: true });
    await output(["tar", "-xzf", tarball(), "-C", project.installed, "--strip-components=1"], root);
    return project;
  }

  /** Creates a project and installs the package from the tarball with npm. */
  static async install(): Promise<UserProject> {
    const project = UserProject.#empty();
    const flags = ["--offline", "--no-audit", "--no-fund"];
    await output([...npmProgram("npm"), "install", ...flags, tarball()], project.directory);
    return project;
  }

  /** Adds the peer dependencies of entries for other libraries, in the repository's versions. */
  addPeers(): void {
    const { peerDependencies } = JSON.parse(readFileSync(join(this.installed, "package.json"), "utf8"));
    for (const name of Object.keys(peerDependencies)) {
      const [from, place] = [join(root, "node_modules", name), join(this.directory, "node_modules", name)];
      // Some entries import nothing from their peer dependency, so it may be missing.
      if (existsSync(place) || !existsSync(from)) continue;
      mkdirSync(dirname(place), { recursive: true });
      symlinkSync(from, place);
    }
  }

  static #empty(): UserProject {
    const project = new UserProject(join(mkdtempSync(join(tmpdir(), "graupel-")), "project"));
    project.write("package.json", JSON.stringify({ name: "user", private: true, type: "module" }));
    return project;
  }

  /** The directory of the installed package. */
  get installed(): string {
    return join(this.directory, "node_modules", "graupel");
  }

  /** Writes a file and returns its path. */
  write(name: string, text: string): string {
    const path = join(this.directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  /** Removes the project and the files that a test has created next to it. */
  remove(): void {
    rmSync(dirname(this.directory), { recursive: true, force: true });
  }
}
