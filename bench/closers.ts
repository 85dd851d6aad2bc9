/** How to give back what the benchmark has opened; the last opened goes first. */
const closers: (() => Promise<unknown>)[] = [];
let closing = Promise.resolve();

/** Notes how to give something back. */
export function onClose(close: () => Promise<unknown>): void {
  closers.push(close);
}

/** How many things are open, for `closeDownTo`. */
export function countOpen(): number {
  return closers.length;
}

/** Gives back all but the first `count` things that are open. One that fails does not keep the others open. */
export function closeDownTo(count: number): Promise<void> {
  // One after the other even when a signal comes meanwhile: the folder goes last, when nobody uses it.
  closing = closing.then(async () => {
    while (closers.length > count)
      await closers
        .pop()?.()
        .catch((error: unknown) => console.error(error));
  });
  return closing;
}
