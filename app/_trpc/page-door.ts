import type { AppRouter } from "@/server/router";

type PageDoor = (headers: Headers) => ReturnType<AppRouter["createCaller"]>;

/**
 * The procedures, called in this process for the sender of a request. server/main.ts opens the door; pages are bundled
 * apart from it and share nothing with it but the global scope.
 * @throws where the pages run without the server around them.
 */
export function callerFor(headers: Headers): ReturnType<PageDoor> {
  const door: PageDoor | undefined = Reflect.get(globalThis, Symbol.for("allowance.pageDoor"));
  if (door === undefined) throw new Error("pages are served by server/main.ts alone");
  return door(headers);
}
