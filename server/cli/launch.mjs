#!/usr/bin/env node
/** The command line of what `npm run build` has made. It installs and builds nothing. */
import { requireNode } from "./node-version.mjs";

requireNode();
process.env.NODE_ENV = "production";
process.env.NEXT_TELEMETRY_DISABLED = "1";
await import(new URL(".build/allowance.js", import.meta.url).href);
