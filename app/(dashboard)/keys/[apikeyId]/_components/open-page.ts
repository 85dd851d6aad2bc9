/** How many open authorizations are shown at once. */
export const OPEN_PAGE_SIZE = 10;
