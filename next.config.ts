import type { NextConfig } from "next";

/** `server/security-headers.ts` has the headers of every answer. */
export default {
  // `server/cli/dist.mjs` takes from `.next/standalone` what pages need at run time.
  output: "standalone",
  // The packages of the optimizer of images, which `server/page-guard.ts` lets nobody reach.
  outputFileTracingExcludes: { "*": ["node_modules/sharp/**", "node_modules/@img/**"] },
  poweredByHeader: false,
  reactStrictMode: true,
  // The project's own folder, whatever lockfiles stand above it.
  turbopack: { root: process.cwd() },
  // The folder of the product may be read-only. Without this, Next.js keeps prerendered answers in its build.
  experimental: { isrFlushToDisk: false },
  // `npm run check` does that for the whole project; a start must not depend on the tests' types.
  typescript: { ignoreBuildErrors: true },
} satisfies NextConfig;
