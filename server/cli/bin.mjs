#!/usr/bin/env node
/** `npx allowance …`: makes the checkout ready, then runs the command line. */
process.argv.splice(2, 0, "allowance");
await import("./run.mjs");
