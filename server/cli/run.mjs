/** `node server/cli/run.mjs NAME [arguments]`: makes the checkout ready, then runs `.build/NAME.js` in this process. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { prepare, root } from "./prepare.mjs";

const [, , name, ...rest] = process.argv;
// Commands need no pages, and development compiles them when somebody asks for them.
const serves = name === "main" || (name === "allowance" && rest[0] === "start");
prepare(serves ? undefined : ["client", "server"]);
process.env.NODE_ENV = name === "dev" ? "development" : "production";
process.env.NEXT_TELEMETRY_DISABLED = "1";
process.argv = [process.argv[0], name, ...rest];
await import(pathToFileURL(join(root, ".build", `${name}.js`)).href);
