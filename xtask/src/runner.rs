//! The test runner for WebAssembly. Cargo starts it with the path of a test binary.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};

/// Runs the tests in Node. The runner writes its glue into a new directory inside the temporary
/// directory, and the glue imports `../core/entropy.js`. So the temporary directory must be the one
/// into which the build puts that file.
pub fn run(arguments: Vec<OsString>) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |dir| root.join(dir));
    let place = target.join("wasm-tests");
    let core = place.join("core");
    ensure!(core.join("entropy.js").exists(), "the tests need a build: run `npm run build` first");
    // The nearest package.json decides how Node loads a .js file. The glue is CommonJS, but the
    // package is not.
    fs::write(place.join("package.json"), "{ \"type\": \"commonjs\" }\n")?;
    fs::write(core.join("package.json"), "{ \"type\": \"module\" }\n")?;
    let _ = tempfile::env::override_temp_dir(&place);
    wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(arguments)
}
