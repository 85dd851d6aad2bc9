"use client";

import { useSyncExternalStore } from "react";
import { useRedraw } from "@/app/_trpc/use-redraw";
import { chooseTheme } from "./choice";
import { type Theme, themeOf } from "./theme";

/** The theme that this page has now, and how to choose another. @param drawn the one in which the server drew the page. */
export function useTheme(drawn: Theme): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(watchTheme, shownTheme, () => drawn);
  const { redraw } = useRedraw();
  const choose = (chosen: Theme) => {
    chooseTheme(chosen);
    // The colour of the browser's own bars is drawn by the server.
    void redraw();
  };
  return [theme, choose];
}

function shownTheme(): Theme {
  return themeOf(document.documentElement.dataset.theme);
}

function watchTheme(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}
