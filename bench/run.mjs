/** `npm run bench`: bundles the benchmark beside the product and runs it; see run.ts for what it measures. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { BUNDLE } from "../server/cli/bundle.mjs";
import { prepare, root } from "../server/cli/prepare.mjs";

await prepare();
// It cannot be imported above, because its package may have been installed a moment ago.
const { build } = await import("esbuild");
const folder = join(root, ".build/bench");
await build({
  entryPoints: ["bench/run.ts", "bench/reference/server.ts", "bench/flood.ts"],
  outdir: folder,
  outbase: "bench",
  ...BUNDLE,
});
process.env.NODE_ENV = "production";
await import(pathToFileURL(join(folder, "run.js")).href);
