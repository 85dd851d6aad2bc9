/** Who may import whom. Each rule is an error: `npm run check` fails on it. */
const { existsSync, readdirSync } = require("node:fs");
const { dirname, join } = require("node:path");

/** Folders of the server with procedures of their own, and `auth`. */
const nouns = readdirSync("server")
  .filter((folder) => folder === "auth" || existsSync(join("server", folder, "router.ts")))
  .join("|");

/** Folders of pages that have components of their own. */
const areas = readdirSync("app", { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name === "_components")
  .map((entry) => join(entry.parentPath, entry.name))
  .map((folder) => dirname(folder).replace(/[()[\]]/g, "\\$&"));

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true, dependencyTypesNot: ["type-only"] } },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "pages-call-procedures",
      comment:
        "A page reaches the server through server/page-caller.ts, server/page-reference.ts, server/page-status.ts and the router, and shares its schemas, the codes of faults, the form of CSV files, the arithmetic of prices and the pure rules of passwords and price ceilings; nothing else.",
      severity: "error",
      from: { path: "^app/", pathNot: "\\.test\\.tsx?$" },
      to: {
        path: "^server/",
        pathNot:
          "^server/(router|page-caller|page-reference|page-status|csv|input/fault|limits/units|prices/(cost|allowed)|auth/password-strength)\\.ts$|^server/.*/schema\\.ts$",
      },
    },
    ...areas.map((area) => ({
      name: "components-of-one-area",
      comment:
        "What two areas share stands in components/ or in a folder app/_…, not in the _components of one of them.",
      severity: "error",
      from: { path: "^app/", pathNot: `^${area}/` },
      to: { path: `^${area}/_components/` },
    })),
    {
      name: "components-know-no-server",
      severity: "error",
      from: { path: "^components/" },
      to: { path: "^(server|app|prisma)/" },
    },
    {
      name: "server-knows-no-pages",
      severity: "error",
      from: { path: "^server/", pathNot: "^server/testing/|\\.integration\\.ts$" },
      to: { path: "^(app|components|e2e|bench)/" },
    },
    {
      name: "rest-holds-no-rules",
      comment:
        "server/rest calls procedures and renders their metadata. It reaches no noun, no table and no limit by itself.",
      severity: "error",
      from: { path: "^server/rest/", pathNot: "\\.test\\.ts$" },
      to: { path: `^(server/(${nouns}|limits|db|input|cli)/|prisma/)` },
    },
    {
      name: "noun-to-noun-through-queries",
      comment:
        "A noun uses another noun's queries, its schema, the pure rules and conditions of keys and days, and the prices of models. The id of a proven account is everyone's.",
      severity: "error",
      from: { path: `^server/(${nouns})/`, pathNot: "\\.(test|integration)\\.ts$" },
      to: {
        path: `^server/(${nouns})/`,
        pathNot: [
          "^server/$1/",
          "(queries|/schema)\\.ts$",
          "^server/auth/(account-id|key-owner|known-spenders|proof|set-up-token|spender)\\.ts$",
          "^server/(keys/(key-change|key-value|selection|state)|usage/(spans|spend-parts))\\.ts$",
          "^server/history/(actor|action|event-keys|key-values|recording)\\.ts$",
          "^server/prices/(allowed|catalogue|catalogues|ceiling-change|cost|model-list|price-list|statements/read-prices)\\.ts$",
        ],
      },
    },
    {
      name: "nouns-know-no-entry-point",
      severity: "error",
      from: { path: `^server/(${nouns}|limits|input|db)/` },
      to: { path: "^server/(rest|cli|http|listener|main|router)" },
    },
    {
      name: "limits-are-pure",
      comment: "Rules of limits and input are apart from I/O. Only columns.ts knows how a limit is stored.",
      severity: "error",
      from: { path: "^server/(limits|input)/", pathNot: "columns\\.ts$|\\.test\\.ts$" },
      to: {
        pathNot: "^server/(limits|input)/|^server/endpoint\\.ts$|^node_modules/(zod|bson)/",
        dependencyTypesNot: ["core"],
      },
    },
    {
      name: "key-values-are-pure",
      severity: "error",
      from: { path: "^server/keys/key-value\\.ts$" },
      to: { dependencyTypesNot: ["core"] },
    },
    {
      name: "only-auth-proves-accounts",
      comment: "Recognising callers and creating accounts is for the context and the command line.",
      severity: "error",
      from: { pathNot: "^server/(auth/|context\\.ts|cli/|testing/)|\\.integration\\.ts$|^e2e/|^bench/" },
      to: { path: "^server/auth/(caller|accounts|queries)\\.ts$" },
    },
    {
      name: "examples-stand-alone",
      comment: "The folder of an example is copied out of here as it is: it needs nothing but Node.",
      severity: "error",
      from: { path: "^(examples/[^/]+/)" },
      to: { dependencyTypesNot: ["core"], pathNot: "^$1" },
    },
    {
      name: "tests-stay-out",
      severity: "error",
      from: {
        pathNot: "\\.(test|integration|spec)\\.ts$|^(e2e|bench|checks|server/testing)/|^playwright\\.config\\.ts$",
      },
      to: { path: "\\.(test|integration|spec)\\.ts$|^(e2e|checks|server/testing)/" },
    },
    {
      name: "specs-speak-http",
      comment:
        "e2e/rest calls the API. From the server it imports what lists the endpoints, what makes accounts, gateways and values, the audit of the books, the database behind the API and who waits in it, and the reader of the fast path, which tells the form of a request. Whatever drives the inside is an integration test in server/.",
      severity: "error",
      from: { path: "^e2e/rest/" },
      to: {
        path: "^server/",
        pathNot: [
          "^server/(router|rest/routes)\\.ts$",
          "^server/auth/(accounts|gateway-queries|sign-in-endpoint)\\.ts$",
          "^server/authorizations/audit-queries\\.ts$",
          "^server/db/(client|embedded|cluster|postmaster)\\.ts$",
          "^server/(keys/key-value|input/new-object-id)\\.ts$",
          "^server/fast-path/request\\.ts$",
          "^server/testing/waiting\\.ts$",
        ],
      },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(prisma/generated/(internal|models)|\\.next|\\.build)" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
