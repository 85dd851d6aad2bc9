/** How many calls are shown at first, and how many more each time. */
export const ACTIVITY_PAGE_SIZE = 20;
