"use client";

import { useCallback, useEffect, useRef } from "react";

/** Traversals of the history end later, and one of them must have ended before the next step. */
let last: Promise<unknown> = Promise.resolve();

function inTurn(work: () => unknown): Promise<void> {
  const done = last.then(work).then(() => {});
  last = done;
  return done;
}

/** Goes to another entry of the same page. The router does not get to know: it shows the page of that entry already. */
function traverse(delta: 1 | -1): Promise<void> {
  return new Promise((resolve) => {
    const arrive = (event: PopStateEvent) => {
      event.stopImmediatePropagation();
      resolve();
    };
    window.addEventListener("popstate", arrive, { capture: true, once: true });
    window.history.go(delta);
  });
}

const isGuardEntry = () => Boolean(window.history.state?.isBackGuard);

/**
 * Asks before the browser's Back leaves the page. While it is on, the history has one more entry with the same address. Back
 * goes from there to the entry of the page, which is noticed here; then the guard's entry is entered again. When it is
 * switched off, the entry is left, so that the next Back goes where it would have gone without a guard.
 * @param onBack is called instead of leaving.
 */
export function useBackGuard(isOn: boolean, onBack: () => void) {
  const ask = useRef(onBack);
  ask.current = onBack;
  const off = useRef<() => Promise<void>>(async () => {});

  useEffect(() => {
    if (!isOn) return;
    let isWanted = true;
    let isReturning = false;
    const notice = (event: PopStateEvent) => {
      if (isReturning || isGuardEntry()) return;
      event.stopImmediatePropagation();
      isReturning = true;
      void inTurn(() => traverse(1)).then(() => {
        isReturning = false;
      });
      ask.current();
    };
    void inTurn(() => {
      if (!isWanted) return;
      // The router's own state stays in it: without that, the router would load the page again.
      window.history.pushState({ ...window.history.state, isBackGuard: true }, "");
      window.addEventListener("popstate", notice, { capture: true });
    });
    off.current = async () => {
      if (!isWanted) return last.then(() => {});
      isWanted = false;
      await inTurn(() => {
        window.removeEventListener("popstate", notice, { capture: true });
        if (isGuardEntry()) return traverse(-1);
      });
    };
    return () => void off.current();
  }, [isOn]);

  /** Switches it off. Resolves when Back works as without it. */
  const release = useCallback(() => off.current(), []);

  /**
   * Switches it off, and goes back.
   * @param onArrive is called when the tab is still on a page of this document, also when there is no page to go back to.
   */
  const leave = useCallback(async (onArrive: () => void) => {
    // Nothing comes after the guard's entry, so what there is beside it and the page comes before.
    const isFirst = window.history.length <= 2;
    await off.current();
    if (isFirst) return onArrive();
    window.addEventListener("popstate", onArrive, { once: true });
    window.history.back();
  }, []);

  return { release, leave };
}
