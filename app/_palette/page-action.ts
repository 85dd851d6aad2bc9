"use client";

import { useEffect, useRef } from "react";

/** What a page creates. */
export type Creation = "key" | "group" | "price" | "import";

const creators = new Map<Creation, () => void>();
/** A creation that was asked for on another page, until its own page is there. */
let awaited: Creation | undefined;

/** Lets shortcuts and the palette open the dialog in which this page creates something. */
export function useCreator(creation: Creation, open: () => void): void {
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    const run = () => latest.current();
    creators.set(creation, run);
    if (awaited === creation) {
      awaited = undefined;
      run();
    }
    return () => {
      if (creators.get(creation) === run) creators.delete(creation);
    };
  }, [creation]);
}

/** Creates what the present page creates, if it creates anything. */
export function createHere(): boolean {
  const [open] = creators.values();
  open?.();
  return open !== undefined;
}

/** Opens the dialog of a creation, after `visit` has opened its page where another one shows. */
export function create(creation: Creation, visit: () => void): void {
  const open = creators.get(creation);
  if (open) open();
  else {
    awaited = creation;
    visit();
  }
}
