/** The event of the window that says whether another page is awaited. Its `detail` is a boolean. */
export const PAGE_AWAITED = "page-awaited";

/** Says that another page is awaited, or none any more. */
export function tellPageAwaited(isAwaited: boolean): void {
  window.dispatchEvent(new CustomEvent(PAGE_AWAITED, { detail: isAwaited }));
}

/** Says that the page at an address is asked for. This page itself is not awaited. */
export function tellPageAsked(address: string): void {
  const { pathname, search } = new URL(address, window.location.href);
  tellPageAwaited(pathname + search !== window.location.pathname + window.location.search);
}
