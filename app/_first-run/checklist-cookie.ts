/** The cookie of a browser that has hidden the first steps. The server reads it, so that it draws them with the page or not. */
export const CHECKLIST_COOKIE = "first_steps";

export const CHECKLIST_HIDDEN = "hidden";
