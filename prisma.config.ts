import { defineConfig } from "prisma/config";

// `generate` looks for the schema engine's binary without running it, and fails where that binary cannot be
// downloaded. Any executable satisfies the check.
if (process.argv.includes("generate")) process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({ schema: "prisma/schema.prisma", migrations: { path: "prisma/migrations" } });
