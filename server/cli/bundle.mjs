/**
 * The options of esbuild for everything that runs in Node.js and is started by people who work on the project: the
 * benchmark and `npm run dev`. Packages stay where npm put them, because that is built faster.
 * @satisfies {import("esbuild").BuildOptions}
 */
export const BUNDLE = /** @type {const} */ ({
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  packages: "external",
  sourcemap: true,
  logLevel: "warning",
});

/**
 * The options for the product: the server and the commands. Packages are bundled too, because to find and read their
 * thousand files takes most of a start. See docs/decisions/start.md.
 * @satisfies {import("esbuild").BuildOptions}
 */
export const PRODUCT_BUNDLE = /** @type {const} */ ({
  ...BUNDLE,
  packages: "bundle",
  splitting: true,
  entryNames: "[name]",
  sourcesContent: false,
  // Next.js reads its own files at run time. esbuild is for `npm run dev`, and `pg-native` is never installed.
  external: ["next", "esbuild", "pg-native"],
  banner: {
    js: [
      // Packages in CommonJS call `require`, which a module does not have.
      'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
      // Node.js 20 has no `navigator`, unlike later ones. Where there is none, the driver `pg` asks a `Response` whether it runs
      // on Cloudflare, and so each start and each command would load all of fetch: 45 ms of processor time.
      'globalThis.navigator ??= { userAgent: "Node.js" };',
    ].join(" "),
  },
});
