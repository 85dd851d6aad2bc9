/**
 * How esbuild bundles TypeScript for Node.js: what runs, the commands, the benchmark and `npm run dev` alike.
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
