"use client";

import { useEffect, useRef, useState } from "react";
import { useRefresh } from "@/app/_trpc/use-refresh";
import { useUnloadGuard } from "@/components/use-unload-guard";
import { newRequestId } from "./request-id";
import { beginWalk, type Walk, type WalkPart, withPart } from "./walk";

/** Where a call of a walk begins, and the name of the walk, with which nothing is done twice. */
export interface WalkPlace {
  after?: string;
  request_id: string;
}

/**
 * Changes all keys that match a filter: call after call until none is left, until it is stopped, or until a call fails.
 * It goes on where it was. Leaving the page asks while it runs, and stops it.
 */
export function useWalk(call: (place: WalkPlace) => Promise<WalkPart>) {
  const refresh = useRefresh();
  const [walk, setWalk] = useState<Walk>();
  const after = useRef<string>(undefined);
  const requestId = useRef<string>(undefined);
  const isStopping = useRef(false);

  useUnloadGuard(walk?.state === "running" || walk?.state === "stopping");
  useEffect(
    () => () => {
      isStopping.current = true;
    },
    [],
  );

  const run = async () => {
    isStopping.current = false;
    requestId.current ??= newRequestId();
    try {
      for (;;) {
        const part = await call({
          request_id: requestId.current,
          ...(after.current !== undefined && { after: after.current }),
        });
        after.current = part.next ?? undefined;
        const isDone = after.current === undefined;
        const state = isDone ? "done" : isStopping.current ? "stopped" : "running";
        if (state !== "running") await refresh();
        setWalk((current) => current && { ...withPart(current, part), state });
        if (state !== "running") break;
      }
    } catch (error) {
      // The call may have been done. The next one has the same name and place, and does it only if it has not.
      setWalk((current) => current && { ...current, state: "broken", error });
      void refresh();
    }
  };
  return {
    /** Undefined before it is started. */
    walk,
    /** @param total how many keys match. */
    start: (total: number) => {
      setWalk(beginWalk(total));
      void run();
    },
    /** Lets the call that is under way end, and makes no other. */
    stop: () => {
      isStopping.current = true;
      setWalk((current) => (current?.state === "running" ? { ...current, state: "stopping" } : current));
    },
    goOn: () => {
      setWalk((current) => current && { ...current, state: "running", error: undefined });
      void run();
    },
  };
}
