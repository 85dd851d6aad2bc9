import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { answerFixedBody, type FixedBody, makeFixedBody } from "./fixed-body";

/** Where browsers find the files of the build. */
export const BUILD_FILES_PATH = "/_next/static/";

/** A file has its content in its name, so browsers may keep it. */
const CACHE = "public, max-age=31536000, immutable";
const TYPES: Record<string, string> = {
  ".css": "text/css; charset=UTF-8",
  ".js": "application/javascript; charset=UTF-8",
};

/**
 * Answers the scripts and styles of the build from memory, each read and compressed once. Next.js reads and compresses them
 * anew for each request: a browser with an empty cache takes some twenty of them with its first page.
 * @param folder what the build has put at `/_next/static/`.
 * @returns a function that tells whether it has answered. It answers nothing else, no part of a file, and no file that cannot
 * be read.
 */
export function buildFiles(folder: string): (request: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  let names: Set<string> | undefined;
  const bodies = new Map<string, Promise<FixedBody>>();

  const bodyOf = (name: string): Promise<FixedBody> => {
    const known = bodies.get(name);
    if (known !== undefined) return known;
    const body = readFile(join(folder, name)).then(makeFixedBody);
    bodies.set(name, body);
    body.catch(() => bodies.delete(name));
    return body;
  };

  return async (request, response) => {
    const [path = ""] = (request.url ?? "").split("?", 1);
    if (!path.startsWith(BUILD_FILES_PATH) || request.headers.range !== undefined) return false;
    const name = path.slice(BUILD_FILES_PATH.length);
    const type = TYPES[extname(name)];
    names ??= new Set(readdirSync(folder, { recursive: true, encoding: "utf8" }));
    if (type === undefined || !names.has(name)) return false;
    const body = await bodyOf(name).catch(() => undefined);
    if (body === undefined) return false;
    answerFixedBody(request, response, body, { "Content-Type": type, "Cache-Control": CACHE });
    return true;
  };
}
