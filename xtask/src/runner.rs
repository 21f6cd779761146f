//! The test runner for WebAssembly: what cargo starts with the path of a test binary.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// The JavaScript that the module imports, as the glue names it from where the glue lies.
const IMPORTED: &str = "runtime/entropy.js";

/// Runs the tests in Node. The runner writes its glue into a directory of its own inside the temporary one, from
/// where it imports `../runtime/entropy.js`; so the temporary directory is one that has the compiled file there.
pub fn run(arguments: Vec<OsString>) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |dir| root.join(dir));
    let place = target.join("wasm-tests");
    let copy = place.join(IMPORTED);
    fs::create_dir_all(copy.parent().expect("it has one, see above"))?;
    fs::copy(root.join("dist").join(IMPORTED), &copy)
        .with_context(|| format!("the tests need dist/{IMPORTED}: run `npm run build` first"))?;
    // Node takes a .js file for what the nearest package.json says: the glue is CommonJS, the package is not.
    fs::write(place.join("package.json"), "{ \"type\": \"commonjs\" }\n")?;
    fs::write(place.join("runtime").join("package.json"), "{ \"type\": \"module\" }\n")?;
    let _ = tempfile::env::override_temp_dir(&place);
    wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(arguments)
}
