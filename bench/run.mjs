/** `npm run bench`: bundles the benchmark beside the product and runs it; see run.ts for what it measures. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { prepare, root } from "../server/cli/prepare.mjs";

prepare();
// Only now is esbuild sure to be installed.
const { build } = await import("esbuild");
const folder = join(root, ".build/bench");
await build({
  entryPoints: ["bench/run.ts", "bench/reference.ts"],
  outdir: folder,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  packages: "external",
  sourcemap: true,
  logLevel: "warning",
});
process.env.NODE_ENV = "production";
await import(pathToFileURL(join(folder, "run.js")).href);
