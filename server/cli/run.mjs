/** `node server/cli/run.mjs NAME [arguments]`: makes the checkout ready, then runs `.build/NAME.js` in this process. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { prepare, root } from "./prepare.mjs";

const [, , name, ...rest] = process.argv;
// Files that are named on the command line count from this folder, which prepare leaves. npm has left it before, and noted it.
process.env.INIT_CWD ??= process.cwd();
// Commands need no pages, and development compiles them when somebody asks for them.
const serves = name === "main" || (name === "allowance" && rest[0] === "start");
await prepare(serves ? undefined : ["client", "server"]);
process.env.NODE_ENV = name === "dev" ? "development" : "production";
process.env.NEXT_TELEMETRY_DISABLED = "1";
process.argv = [process.argv[0], name, ...rest];
await import(pathToFileURL(join(root, ".build", `${name}.js`)).href);
