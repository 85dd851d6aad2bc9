import { config } from "zod/v4/core";

// Next.js runs this file in the browser before any other of ours. zod would try whether it may compile code. The policy of the
// pages (server/security-headers.ts) refuses that, and every browser would report it.
config({ jitless: true });
