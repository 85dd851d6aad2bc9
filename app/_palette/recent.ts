/** A key, a group or a page that was opened from the palette. */
export interface RecentItem {
  kind: "key" | "group" | "page";
  /** The id of a key or of a group, or the path of a page. */
  id: string;
  /** The name of a key or of a group. A page has the name that it has in the present language. */
  name: string;
}

const PLACE = "palette.recent";
const MOST = 5;

interface Kept {
  email: string;
  items: RecentItem[];
}

/** What was opened last, the newest first. Another account that uses this browser does not see it. */
export function readRecent(email: string): RecentItem[] {
  try {
    const kept: Kept = JSON.parse(localStorage.getItem(PLACE) ?? "");
    return kept.email === email ? kept.items : [];
  } catch {
    return [];
  }
}

/** Puts something in front of what was opened last. */
export function noteRecent(email: string, item: RecentItem): void {
  const others = readRecent(email).filter(({ kind, id }) => kind !== item.kind || id !== item.id);
  const kept: Kept = { email, items: [item, ...others].slice(0, MOST) };
  localStorage.setItem(PLACE, JSON.stringify(kept));
}

/** After signing out, no name of a key stays in the browser. */
export function forgetRecent(): void {
  localStorage.removeItem(PLACE);
}
