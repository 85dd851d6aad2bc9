import type { NextConfig } from "next";

// Pages live on what this server sends: a browser refuses to contact any other host for them. Next.js starts a page
// with inline scripts, hence `unsafe-inline`. In development React evaluates code to rebuild stack traces of the server.
const isDevelopment = process.env.NODE_ENV === "development";
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  `script-src 'self' 'unsafe-inline'${isDevelopment ? " 'unsafe-eval'" : ""}`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // The project's own folder, whatever lockfiles stand above it.
  turbopack: { root: process.cwd() },
  // `npm run check` does that for the whole project; a start must not depend on the tests' types.
  typescript: { ignoreBuildErrors: true },
  headers: async () => [
    {
      source: "/:path*",
      headers: [
        { key: "Content-Security-Policy", value: CONTENT_SECURITY_POLICY },
        { key: "X-Content-Type-Options", value: "nosniff" },
        { key: "Referrer-Policy", value: "same-origin" },
      ],
    },
    // A page names the files of its build: a proxy that kept it would serve one whose files an upgrade has replaced.
    { source: "/((?!_next/).*)", headers: [{ key: "Cache-Control", value: "no-cache" }] },
  ],
} satisfies NextConfig;
