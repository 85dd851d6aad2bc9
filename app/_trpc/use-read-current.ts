"use client";

import { trpc } from "./client";
import { isGone } from "./failure";

/**
 * Reads what a dialog is to change, as it is now: `await readCurrent(() => utils.groups.get.fetch(…))`. When it is gone, all of the
 * page is read again, as after a change that found it gone.
 */
export function useReadCurrent(): <Current>(read: () => Promise<Current>) => Promise<Current> {
  const utils = trpc.useUtils();
  return async (read) => {
    try {
      return await read();
    } catch (error) {
      if (isGone(error)) void utils.invalidate();
      throw error;
    }
  };
}
