//! The wasm-bindgen step.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use wasm_bindgen_cli_support::{Bindgen, Output};

/// Writes `graupel.js`, `graupel.d.ts` and `graupel_bg.wasm` into `out_dir`.
pub fn run(module: &Path, out_dir: &Path) -> Result<()> {
    ensure!(module.is_file(), "{} does not exist: compile the core first", module.display());
    let failed = || format!("wasm-bindgen failed on {}", module.display());
    let mut output = Bindgen::new()
        .input_path(module)
        .out_name("graupel")
        // Only the glue for this target can instantiate synchronously, with `initSync`.
        .web(true)?
        .typescript(true)
        // Otherwise the glue contains `new URL("graupel_bg.wasm", import.meta.url)`, which bundlers
        // follow or silently drop.
        .omit_default_module_path(true)
        // Do not use `strip = true` in the profile. It would also remove the target features, which
        // this step and wasm-opt read. The audit needs the names; the last run of wasm-opt removes
        // them.
        .remove_producers_section(true)
        .generate_output()
        .with_context(failed)?;
    hide_internals(&mut output);
    output.emit(out_dir).with_context(failed)
}

/// Removes the exports that only the linker and wasm-bindgen need, because wasm-opt keeps every
/// export.
fn hide_internals(output: &mut Output) {
    let internal = |name: &str| name.starts_with("__") && !output.js().contains(name);
    let unused: Vec<_> =
        output.wasm().exports.iter().filter(|export| internal(&export.name)).map(|export| export.id()).collect();
    for id in unused {
        output.wasm_mut().exports.delete(id);
    }
}
