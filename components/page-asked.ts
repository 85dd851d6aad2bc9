/** The event of the window that says that another page is asked for. Its `detail` is the address. */
export const PAGE_ASKED = "page-asked";
