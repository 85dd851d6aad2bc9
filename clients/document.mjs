/** The description of the REST API, for what is generated from it. */
import { createHash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { BUNDLE } from "../server/cli/bundle.mjs";
import { prepare, root } from "../server/cli/prepare.mjs";

/** The document as `/openapi.json` serves it, made from the sources as they are. */
export async function readDocument() {
  await prepare(["client"]);
  // It cannot be imported above, because its package may have been installed a moment ago.
  const { build } = await import("esbuild");
  const outfile = join(root, `.build/document-${process.pid}.js`);
  mkdirSync(join(root, ".build"), { recursive: true });
  try {
    await build({ ...BUNDLE, sourcemap: false, entryPoints: [join(root, "server/rest/openapi.ts")], outfile });
    const { apiDocument } = await import(pathToFileURL(outfile).href);
    return await apiDocument();
  } finally {
    rmSync(outfile, { force: true });
  }
}

/** Names one state of the document. It stands beside what is generated without Node. */
export function fingerprint(document) {
  return `${createHash("sha256").update(document).digest("hex")}\n`;
}
