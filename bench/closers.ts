/** Functions that close what the benchmark opened, the last first. */
const closers: (() => Promise<unknown>)[] = [];
let closing = Promise.resolve();

/** Registers such a function. */
export function onClose(close: () => Promise<unknown>): void {
  closers.push(close);
}

/** How many things are open, for `closeDownTo`. */
export function countOpen(): number {
  return closers.length;
}

/** Closes all but the first `count`. An error does not stop the rest. */
export function closeDownTo(count: number): Promise<void> {
  // One at a time, also after a signal: the folder is deleted last.
  closing = closing.then(async () => {
    while (closers.length > count)
      await closers
        .pop()?.()
        .catch((error: unknown) => console.error(error));
  });
  return closing;
}
