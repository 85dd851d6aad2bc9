/** The event of the window that says that another page is asked for. Its `detail` is the address. */
export const PAGE_ASKED = "page-asked";

/** Says that another page is asked for, or with the address of this page that none is awaited any more. */
export function tellPageAsked(address: string): void {
  window.dispatchEvent(new CustomEvent(PAGE_ASKED, { detail: address }));
}
