/** Loaded before the tests of the core as JavaScript: if they loaded the other one, they would fail. */
delete globalThis.WebAssembly;
