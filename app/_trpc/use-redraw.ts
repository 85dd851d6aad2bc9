"use client";

import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { isReachable } from "./reachable";

/**
 * Has the server draw this page again. While the server does not answer, the page stays as it is: the router would leave for
 * a page of the browser, and what was typed would be lost.
 */
export function useRedraw() {
  const router = useRouter();
  const [isRedrawing, startRedrawing] = useTransition();
  /** @param also what has to be done in the moment in which the page is asked for. */
  const redraw = async (also?: () => void) => {
    if (!(await isReachable())) return;
    startRedrawing(() => {
      router.refresh();
      also?.();
    });
  };
  return { redraw, isRedrawing };
}
