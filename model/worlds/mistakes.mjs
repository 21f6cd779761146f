// `npm run test:long -- worlds`: plants mistakes in a copy of the engine, one at a time, and checks
// that the search of small worlds finds each of them.
//
//     npm run test:long -- worlds --only merge      only mistakes whose names match this expression
//     npm run test:long -- worlds --beside core     also prints which tests of tests/core fail
//
// All mistakes are compiled at once, and an environment variable selects one. In mistakes.json, a
// mistake replaces the text between « and ».

import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fromRoot, Refusal, run, runAsProgram, targetDir } from "../../xtask/lib/process.mjs";
import { say, step } from "../../xtask/lib/progress.mjs";

const SWITCH = "GRAUPEL_MISTAKE";
const copy = join(targetDir, "mistakes", "source");
const env = {
  CARGO_TARGET_DIR: join(targetDir, "mistakes", "target"),
  CARGO_PROFILE_DEV_OPT_LEVEL: "2",
  RUST_BACKTRACE: "0",
};

/** The code that is added to the copy of the core. */
const RUNTIME = `
pub(crate) fn mistake(number: u32) -> bool {
    static ON: std::sync::LazyLock<Option<u32>> =
        std::sync::LazyLock::new(|| std::env::var("${SWITCH}").ok().and_then(|text| text.parse().ok()));
    *ON == Some(number)
}
`;

/** Copies the files that cargo and the Rust tests need. */
async function copyWorkspace() {
  rmSync(copy, { recursive: true, force: true });
  const what = [
    "*.rs",
    "*.toml",
    "Cargo.lock",
    "model",
    "tests/stories",
    "tests/vectors",
    "www/docs/guarantees.md",
  ];
  const files = await run("git", ["ls-files", "--cached", "--others", "--exclude-standard", "--", ...what]);
  for (const file of files.trim().split("\n"))
    if (existsSync(fromRoot(file))) cpSync(fromRoot(file), join(copy, file));
}

function listed() {
  const files = JSON.parse(readFileSync(fromRoot("model", "worlds", "mistakes.json"), "utf8"));
  const all = Object.entries(files).flatMap(([file, rows]) =>
    rows.map(([name, place, becomes, unseen]) => ({
      file,
      name: `${file.split("/").at(-1)}: ${name}`,
      place,
      becomes,
      unseen,
    })),
  );
  return all.map((mistake, index) => ({ ...mistake, number: index + 1 }));
}

/** The position of a mistake, and the code there. */
function spanOf({ name, place }, text) {
  const [before, code, after] = place.split(/[«»]/);
  const at = text.indexOf(before + code + after);
  if (at < 0 || text.indexOf(before + code + after, at + 1) >= 0)
    throw new Refusal(`${name}: ${place} is not there once`);
  return { start: at + before.length, end: at + before.length + code.length, code };
}

/**
 * A source with all of its mistakes. A function that reads the environment variable cannot be
 * `const`.
 */
function planted(text, mistakes) {
  const spans = new Map();
  for (const mistake of mistakes) {
    const { start, end, code } = spanOf(mistake, text);
    const key = `${start} ${end}`;
    const span = spans.get(key) ?? { start, end, code, forms: "" };
    span.forms += `if crate::mistake(${mistake.number}) { ${mistake.becomes} } else `;
    spans.set(key, span);
  }
  let planted = text;
  for (const { start, end, code, forms } of [...spans.values()].sort((a, b) => b.start - a.start))
    planted = `${planted.slice(0, start)}(${forms}{ ${code} })${planted.slice(end)}`;
  return planted.replace(
    /const fn (?=(covers|spend|vary|obey|most_left|left_after|restore|fits|latest|most_behind|most_ahead|advance)\b)/g,
    "fn ",
  );
}

async function plantAll(mistakes) {
  await copyWorkspace();
  const library = join(copy, "src", "lib.rs");
  writeFileSync(library, readFileSync(library, "utf8") + RUNTIME);
  for (const file of new Set(mistakes.map((one) => one.file))) {
    const path = join(copy, file);
    writeFileSync(
      path,
      planted(
        readFileSync(path, "utf8"),
        mistakes.filter((one) => one.file === file),
      ),
    );
  }
}

/** The tests of a package that fail with a mistake. */
async function failing(which, number) {
  const output = await new Promise((done) => {
    run("cargo", ["test", "--offline", ...which], {
      cwd: copy,
      env: { ...env, [SWITCH]: String(number), PROPTEST_RNG_SEED: "1" },
    }).then(done, (error) => done(error.output ?? String(error)));
  });
  return [...output.matchAll(/^test (.*) \.\.\. FAILED$/gm)].map(([, name]) => name);
}

async function mistakes() {
  const { values } = parseArgs({
    options: { only: { type: "string", default: "" }, beside: { type: "string" } },
  });
  const all = listed();
  const chosen = all.filter(({ name }) => new RegExp(values.only).test(name));
  const worlds = ["--package", "graupel-worlds"];
  const core = ["--package", "graupel", "--test", "core"];
  await step("compile the engine with all mistakes", async () => {
    await plantAll(all);
    await run("cargo", ["test", "--offline", "--no-run", ...worlds], { cwd: copy, env });
    if (values.beside) await run("cargo", ["test", "--offline", "--no-run", ...core], { cwd: copy, env });
  });
  if ((await failing(worlds, 0)).length > 0)
    throw new Refusal("the search finds something without a mistake");
  const wrong = [];
  for (const { name, number, unseen } of chosen) {
    const found = (await failing(worlds, number)).length > 0;
    const beside = values.beside ? `; tests/core: ${(await failing(core, number)).join(" ") || "-"}` : "";
    say(`${name}: ${found ? "found" : `not found${unseen ? `: ${unseen}` : ""}`}${beside}`);
    if (found === Boolean(unseen)) wrong.push(name);
  }
  say(`${chosen.length} mistakes`);
  if (wrong.length > 0) throw new Refusal(`not as mistakes.json says: ${wrong.join(", ")}`);
}

await runAsProgram(import.meta.url, mistakes);
