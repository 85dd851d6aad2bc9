import type { AppRouter } from "./router";

/** Makes the procedures callable for the visitor who sent these headers. */
type PageCaller = (headers: Headers) => ReturnType<AppRouter["createCaller"]>;

/**
 * Next.js bundles the pages apart from the server, so a module of the server is loaded twice: pages must not open a
 * second pool of connections. Both copies of this module share `globalThis`, and therefore the caller is kept there.
 */
const PLACE = Symbol.for("allowance.pageCaller");

/** Lets pages call the procedures from now on. The server calls this once. */
export function providePageCaller(caller: PageCaller): void {
  Object.assign(globalThis, { [PLACE]: caller });
}

/**
 * The procedures for the visitor who sent these headers, called in this process.
 * @throws {Error} when the pages run without `server/main.ts`.
 */
export function callerFor(headers: Headers): ReturnType<PageCaller> {
  const caller: PageCaller | undefined = Reflect.get(globalThis, PLACE);
  if (caller === undefined) throw new Error("pages are served by server/main.ts alone");
  return caller(headers);
}
