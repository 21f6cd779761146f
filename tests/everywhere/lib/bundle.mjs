// Bundles a row's program for a host that has no modules of its own, or takes one file. The bundlers themselves are in
// hosts/bundlers.mjs.

/** Bundles `input` to `out`. `conditions`: those that the host's own tools set for `exports`. */
export async function bundled(
  input,
  out,
  { conditions = [], format = "esm", platform = "neutral", ...rest } = {},
) {
  // Loaded late: a fresh clone has it only after the setup.
  const { build } = await import("esbuild");
  await build({
    entryPoints: [input],
    outfile: out,
    bundle: true,
    format,
    platform,
    conditions,
    mainFields: ["module", "main"],
    target: "es2022",
    logLevel: "silent",
    ...rest,
  });
}
