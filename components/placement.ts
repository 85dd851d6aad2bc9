const GAP = 4;
const EDGE = 8;

/** Places a fixed panel below its anchor, or above if there is no room, and keeps it inside the window. */
export function placeBeside(panel: HTMLElement, anchor: HTMLElement, align: "start" | "end"): void {
  const at = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = panel;
  const left = align === "start" ? at.left : at.right - width;
  const below = at.bottom + GAP;
  const above = at.top - GAP - height;
  const top = below + height <= window.innerHeight - EDGE || above < EDGE ? below : above;
  panel.style.left = `${Math.max(EDGE, Math.min(left, window.innerWidth - EDGE - width))}px`;
  panel.style.top = `${Math.max(EDGE, Math.min(top, window.innerHeight - EDGE - height))}px`;
}
