import { randomBytes } from "node:crypto";

/**
 * Every header that tells a browser what an answer may do. No other file sets one of them. A list has names and values in
 * turn, as `writeHead` takes them.
 */
export type HeaderList = readonly string[];

/** In development React evaluates code to rebuild stack traces of the server, and Next.js inserts styles without a nonce. */
const IS_DEVELOPMENT = process.env.NODE_ENV === "development";

/** A year, the shortest time that counts as safe (OWASP ASVS 3.4.1). */
const HTTPS_ONLY: HeaderList = ["Strict-Transport-Security", "max-age=31536000; includeSubDomains"];

/** On every answer: nobody guesses its type, no other site embeds it or keeps a handle of its window. */
const SHARED: HeaderList = [
  ...["X-Content-Type-Options", "nosniff"],
  ...["Cross-Origin-Resource-Policy", "same-origin"],
  ...["Cross-Origin-Opener-Policy", "same-origin"],
  ...["Referrer-Policy", "same-origin"],
];

/**
 * On every answer that is no page. A browser that shows it as a page loads nothing and runs nothing. The icon has its colours in
 * a style.
 */
export const DATA_HEADERS: HeaderList = [
  ...SHARED,
  "Content-Security-Policy",
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
];

/** What a page may not use of the device. Passkeys and the clipboard stay. */
const PERMISSIONS = [
  ...["accelerometer", "autoplay", "bluetooth", "browsing-topics", "camera", "display-capture", "geolocation"],
  ...["gyroscope", "hid", "magnetometer", "microphone", "midi", "payment", "picture-in-picture"],
  ...["screen-wake-lock", "serial", "usb", "xr-spatial-tracking"],
];

/**
 * Nobody keeps a page, or a file that is exported. Whoever goes back after a sign-out must not see it, and a page names the
 * files of its build, which an upgrade replaces.
 */
const PAGE_CACHE = "no-store";

/** The headers of one page, and its policy, in which Next.js finds the nonce for the scripts of the page. */
export interface PageHeaders {
  policy: string;
  headers: HeaderList;
}

/**
 * A page lives on what this server sends: a browser refuses to contact any other host for it. A script runs when it is a file
 * of this server, or has the nonce, which is another one for each request. No answer with data of users is a script for a
 * browser, because all have their type and `nosniff`.
 */
export function pageHeaders(): PageHeaders {
  const nonce = `'nonce-${randomBytes(16).toString("base64")}'`;
  const policy = [
    "default-src 'self'",
    `script-src 'self' ${nonce}${IS_DEVELOPMENT ? " 'unsafe-eval'" : ""}`,
    "script-src-attr 'none'",
    `style-src 'self' ${IS_DEVELOPMENT ? "'unsafe-inline'" : nonce}`,
    // The bars of charts have their length in a `style` attribute.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
  const permissions = PERMISSIONS.map((name) => `${name}=()`).join(", ");
  const headers = [...SHARED, "Content-Security-Policy", policy, "Permissions-Policy", permissions];
  return { policy, headers: [...headers, "Cache-Control", PAGE_CACHE] };
}

/** The headers of every answer of a deployment that browsers reach at `publicUrl`: over https they must not leave it. */
export function transportHeaders(publicUrl: string | undefined): HeaderList {
  return publicUrl?.startsWith("https:") ? HTTPS_ONLY : [];
}

/** Sets headers on an answer that something else writes. */
export function setHeaders(response: { setHeader(name: string, value: string): unknown }, headers: HeaderList): void {
  for (let i = 0; i < headers.length; i += 2) response.setHeader(headers[i] ?? "", headers[i + 1] ?? "");
}
