/** `npm run clients`: writes the generated parts of the clients anew, from the document of the API. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../server/cli/prepare.mjs";
import { fingerprint, readDocument } from "./document.mjs";
import { generatePythonPackage, PythonMissing } from "./python-package.mjs";

const document = await readDocument();
// It cannot be imported above, because its package may have been installed a moment ago.
const { typescriptTypes } = await import("./typescript-types.mjs");
writeFileSync(join(root, "clients/typescript/schema.ts"), await typescriptTypes(document));
console.log("allowance: wrote clients/typescript/schema.ts");
try {
  generatePythonPackage(document, join(root, "clients/python/allowance_client"));
} catch (error) {
  if (!(error instanceof PythonMissing)) throw error;
  console.error(`allowance: clients/python stays as it was: ${error.message}`);
  process.exit(1);
}
writeFileSync(join(root, "clients/python/document.sha256"), fingerprint(document));
console.log("allowance: wrote clients/python");
// Modules of the server keep timers.
process.exit();
