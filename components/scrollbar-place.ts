/** An open dialog removes the scrollbar of the page. Its room stays reserved, so that the page does not move. */
export function keepScrollbarPlace(): void {
  const root = document.documentElement;
  if (window.innerWidth > root.clientWidth) root.style.scrollbarGutter = "stable";
}

/** Call it after the dialog has closed. */
export function giveScrollbarPlaceBack(): void {
  if (!document.querySelector("dialog[open]")) document.documentElement.style.scrollbarGutter = "";
}
