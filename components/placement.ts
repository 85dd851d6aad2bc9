const GAP = 4;
const EDGE = 8;

/** Places a fixed panel below its anchor, or above if there is no room, and keeps it inside the window. */
export function placeBeside(panel: HTMLElement, anchor: HTMLElement, align: "start" | "end"): void {
  const at = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = panel;
  const left = align === "start" ? at.left : at.right - width;
  const isBelow = height <= roomBelow(at.bottom) || height > roomAbove(at.top);
  const top = isBelow ? at.bottom + GAP : at.top - GAP - height;
  panel.style.left = `${Math.max(EDGE, Math.min(left, window.innerWidth - EDGE - width))}px`;
  panel.style.top = `${Math.max(EDGE, Math.min(top, window.innerHeight - EDGE - height))}px`;
}

/** How high a panel above this place of the window may be, in whole pixels, as heights are measured. */
export function roomAbove(top: number): number {
  return Math.floor(top - GAP - EDGE);
}

/** The same below this place. */
export function roomBelow(bottom: number): number {
  return Math.floor(window.innerHeight - EDGE - bottom - GAP);
}
