/** For so long a button stays busy, in case the page does not come, as when the browser was told to stop. */
const LONGEST_MS = 10_000;

/**
 * Leaves for another page, with a full load. It resolves when the browser comes back from there, so that the button stays busy
 * until this page is gone: a second press would send a code again that is used by then.
 */
export function openPage(address: string): Promise<void> {
  window.location.assign(address);
  return new Promise((resolve) => {
    window.addEventListener("pageshow", () => resolve(), { once: true });
    setTimeout(resolve, LONGEST_MS);
  });
}
