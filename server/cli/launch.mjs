#!/usr/bin/env node
/** `node allowance.mjs start`, or another command, in what `npm run build` has made. It installs and builds nothing. */
import { requireNode } from "./node-version.mjs";

requireNode();
process.env.NODE_ENV = "production";
process.env.NEXT_TELEMETRY_DISABLED = "1";
await import("./.build/allowance.js");
