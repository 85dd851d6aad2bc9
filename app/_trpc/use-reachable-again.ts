import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { isReachable } from "./reachable";

const ASKS_EVERY_MS = 3_000;

/**
 * Whether the server answers again after a call was not answered. It asks every few seconds, and at once when the browser
 * has a network again. Then it also repeats what could not be read, and reads what a change without an answer may have changed.
 * @param lost what the call failed with; `undefined` while nothing is lost.
 */
export function useReachableAgain(lost: unknown): boolean {
  const queries = useQueryClient();
  const [back, setBack] = useState<unknown>();
  useEffect(() => {
    if (lost === undefined) return;
    let isOver = false;
    const ask = async () => {
      if (!(await isReachable()) || isOver) return;
      end();
      setBack(lost);
      void queries.refetchQueries({
        predicate: (query) => query.state.status === "error" || (query.state.isInvalidated && query.isActive()),
      });
    };
    const timer = setInterval(ask, ASKS_EVERY_MS);
    window.addEventListener("online", ask);
    const end = () => {
      isOver = true;
      clearInterval(timer);
      window.removeEventListener("online", ask);
    };
    return end;
  }, [lost, queries]);
  return lost !== undefined && back === lost;
}
