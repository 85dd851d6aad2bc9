import type { NextConfig } from "next";

export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // The project's own folder, whatever lockfiles stand above it.
  turbopack: { root: process.cwd() },
} satisfies NextConfig;
