//! The build helper: the tools that the build needs besides cargo and npm, pinned in the
//! workspace's `Cargo.lock`.
//!
//! ```text
//! xtask bindgen <module.wasm> <out dir>   the wasm-bindgen step: glue and module, for the web target
//! xtask tables <out dir>                  the tables and numbers of the core, as TypeScript
//! xtask <tests.wasm> [filter ...]         runs a test binary in Node; cargo calls it as its `runner`
//! ```

mod bindgen;
mod facts;
mod layouts;
mod read;
mod runner;

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

fn main() -> Result<()> {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let words: Vec<&str> = arguments.iter().skip(1).map(|word| word.to_str().unwrap_or("")).collect();
    match words.as_slice() {
        ["bindgen", module, out_dir] => bindgen::run(Path::new(module), Path::new(out_dir)),
        ["tables", out_dir] => {
            for (name, text) in [
                ("layouts.ts", layouts::layouts()),
                ("constants.ts", layouts::constants()),
                ("facts.ts", facts::facts()),
                ("names.ts", facts::names()),
                ("read.ts", read::ready()),
                ("read-declared.ts", read::declared()),
                ("likeliest.ts", facts::likeliest()),
            ] {
                let file = Path::new(out_dir).join(name);
                fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
            }
            Ok(())
        }
        [binary, ..] if Path::new(binary).extension().is_some_and(|end| end == "wasm") => runner::run(arguments),
        _ => bail!("unknown arguments; see xtask/src/main.rs"),
    }
}
