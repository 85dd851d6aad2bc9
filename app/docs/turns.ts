import { setImmediate } from "node:timers/promises";

/**
 * For work in parts. Each call returns a promise that is fulfilled one turn of the event loop after the one before, so that
 * what others wait for is done between two parts.
 */
export function turns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => setImmediate());
    return last;
  };
}
