"use client";

import { trpc } from "./client";

/**
 * So long a page waits for what it reads again. It is shown whenever it comes. On a slow line it takes some seconds, and an
 * answer that never comes must not keep a dialog open.
 */
const LONGEST_MS = 10_000;

/**
 * Reads everything on the page again, and resolves when it is shown, or after ten seconds. Whoever changes a key next sends
 * the version that the page shows, so a change ends when the page has read it. Otherwise the next one could meet a newer
 * version and be taken for the change of somebody else.
 */
export function useRefresh(): () => Promise<unknown> {
  const utils = trpc.useUtils();
  return () => Promise.race([utils.invalidate(), new Promise((resolve) => setTimeout(resolve, LONGEST_MS))]);
}
