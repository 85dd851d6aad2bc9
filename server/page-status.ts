/** The statuses of a page that has to be loaded again. */
type PageStatus = 429 | 503;

type SetPageStatus = (status: PageStatus) => void;

/** Pages have a copy of this module of their own, as of page-caller.ts. */
const PLACE = Symbol.for("allowance.pageStatus");

/** Lets pages choose their status from now on. The server calls this once. */
export function providePageStatus(set: SetPageStatus): void {
  Object.assign(globalThis, { [PLACE]: set });
}

/** Gives the page under way another status than 200. Next.js has no way to do that. Call it before the page is sent. */
export function setPageStatus(status: PageStatus): void {
  const set: SetPageStatus | undefined = Reflect.get(globalThis, PLACE);
  set?.(status);
}
