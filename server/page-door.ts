import type { AppRouter } from "./router";

/** Calls procedures for a page, as the visitor whose headers these are. */
export type PageDoor = (headers: Headers) => ReturnType<AppRouter["createCaller"]>;

/**
 * Where pages find the door. They run in this process, but in a module graph of their own, which must not open a second
 * pool of connections; only what hangs on `globalThis` is the same for both.
 */
const PLACE = Symbol.for("allowance.pageDoor");

/** Opens the door for pages: from now on they reach the procedures. */
export function openPageDoor(door: PageDoor): void {
  Object.assign(globalThis, { [PLACE]: door });
}
