import type { IncomingMessage, ServerResponse } from "node:http";
import { clientAddress, networkOf, type Reach } from "./auth/visitor";
import { BUILD_FILES_PATH } from "./build-files";
import { ConcurrencyLimit } from "./concurrency-limit";
import { headerOf } from "./context";
import type { Failure } from "./errors/failure";
import { requestErrors } from "./errors/request-errors";
import type { Pages } from "./pages";
import { writeError } from "./rest/answer";

/** Pages are rendered on the thread that answers the API, so only a few are rendered at once. */
const BOUNDS = { each: 3, total: 4, mostWaiting: 100, longestStandstill: 10_000 };

/**
 * Lets to Next.js only what pages need. Server actions (which are `POST`) and all of `/_next/` but the files of the build
 * are 404: the product uses neither actions nor the optimizer of images, and both do much work for anybody. A path that is
 * no text is 404 too, and so is one of the API that is written in another way: Next.js would lead its readers elsewhere, and
 * refuse its writers. Pages beyond the few that are rendered at once wait, and are 429 when none was rendered for ten
 * seconds or too many wait. Network addresses take turns.
 */
export function guardPages(render: Pages["render"], reach: Reach): Pages["render"] {
  const turns = new ConcurrencyLimit(BOUNDS);

  return async (request, response) => {
    const url = request.url ?? "";
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (isRead && isFile(url)) return render(request, response);
    const path = pathOf(url);
    if (!isRead || path === undefined || isNoPage(path)) return refuse(request, response, requestErrors.unknownPath());
    const address = clientAddress(headerOf(request), request.socket.remoteAddress ?? null, reach);
    const leave = await turns.enter(networkOf(address));
    if (leave === undefined) return refuse(request, response, requestErrors.tooManyPages());
    // From then on it is the reader who decides how long the answer takes.
    onceHeadIsWritten(response, leave);
    await render(request, response).finally(leave);
  };
}

/** Whether it is a file of the build, which is read and not rendered. */
function isFile(url: string): boolean {
  return url.startsWith(BUILD_FILES_PATH) && !/\.\.|%2e|%2f|%5c|\\/i.test(url);
}

/** Whether a path leads into `/_next/` or `/v1/` in any way in which it can be written. */
function isNoPage(path: string): boolean {
  return /^[\\/]+(?:_next|v1)(?:[\\/]|$)/i.test(path);
}

/** The decoded path of an address; undefined when it is no text in UTF-8. Next.js breaks on such a path. */
function pathOf(url: string): string | undefined {
  const { pathname } = new URL(url.replace(/^[\\/]+/, "/"), "http://localhost");
  try {
    return decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
}

function onceHeadIsWritten(response: ServerResponse, call: () => void): void {
  const writeHead = response.writeHead;
  response.writeHead = ((...head: unknown[]) => {
    call();
    return Reflect.apply(writeHead, response, head);
  }) as typeof writeHead;
}

function refuse(request: IncomingMessage, response: ServerResponse, failure: Failure): void {
  // The rest of a body is discarded as it arrives, so that the client can read the answer.
  request.resume();
  writeError(response, failure);
}
