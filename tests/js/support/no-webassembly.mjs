/**
 * Loaded before the tests of the JavaScript core, so that loading the WebAssembly core would fail.
 */
delete globalThis.WebAssembly;
