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
  turbopack: {
    root: process.cwd(),
    // Messages are compiled: to parse and to look them up took 12 ms of a page with 50 keys. A glob of the folder matches no file.
    rules: {
      "*.json": {
        condition: { path: /^app\/_messages\// },
        loaders: ["./app/_i18n/compile-messages.mjs"],
        as: "*.js",
      },
    },
    resolveAlias: { "use-intl/format-message": "use-intl/format-message/format-only" },
  },
  // The folder of the product may be read-only. Without this, Next.js keeps prerendered answers in its build.
  experimental: { isrFlushToDisk: false },
  // `npm run check` does that for the whole project; a start must not depend on the tests' types.
  typescript: { ignoreBuildErrors: true },
} satisfies NextConfig;
