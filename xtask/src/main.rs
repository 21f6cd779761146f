//! The build helper: the tools that the build needs besides cargo and npm, pinned in the
//! workspace's `Cargo.lock`.
//!
//! ```text
//! xtask bindgen <module.wasm> <out dir>  the wasm-bindgen step: glue and module, for the web target
//! xtask tables <out dir>                 the tables and numbers of the core, as TypeScript
//! ```

mod bindgen;
mod facts;
mod layouts;
mod read;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
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
        _ => bail!("unknown arguments; see xtask/src/main.rs"),
    }
}
