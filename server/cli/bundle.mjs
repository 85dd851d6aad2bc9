/**
 * The options of esbuild for everything that runs in Node.js: the server, the commands, the benchmark and `npm run dev`.
 * @satisfies {import("esbuild").BuildOptions}
 */
export const BUNDLE = /** @type {const} */ ({
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  packages: "external",
  sourcemap: true,
  logLevel: "warning",
});
