/** How many seconds ago the newest change may have been asked for. Of what is older, the history itself is the place to look. */
export const LONGEST_AGO_SECONDS = 86_400;
