import { config } from "zod/v4/core";
import { tellPageAsked } from "./components/page-asked";

// Next.js runs this file in the browser before any other of ours, and before the page counts as loaded.

// zod would try whether it may compile code. The policy of the pages (server/security-headers.ts) refuses that, and every
// browser would report it.
config({ jitless: true });

// On Back or Forward, a browser may take a page out of its memory, as the owner left it. The owner may have signed out
// since, so the page is loaded anew. `no-store` keeps most browsers from doing so, but not all. A component would come too
// late: a browser also keeps a page that was left before React had made it work.
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  document.body.hidden = true;
  window.location.reload();
});

/** Next.js calls it when another page is asked for. A component cannot know it of links that are not its own. */
export const onRouterTransitionStart = tellPageAsked;
