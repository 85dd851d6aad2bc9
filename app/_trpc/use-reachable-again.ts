import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

const ASKS_EVERY_MS = 3_000;
/** It needs the session and the database, as nearly all calls do. */
const ASKED = "/api/trpc/accounts.me";

/**
 * Whether the server answers again after a call was not answered. It asks every few seconds, and at once when the browser
 * has a network again. Then it also repeats what could not be read.
 * @param lost what the call failed with; `undefined` while nothing is lost.
 */
export function useReachableAgain(lost: unknown): boolean {
  const queries = useQueryClient();
  const [back, setBack] = useState<unknown>();
  useEffect(() => {
    if (lost === undefined) return;
    let isOver = false;
    const ask = async () => {
      const answer = await fetch(ASKED, { cache: "no-store" }).catch(() => undefined);
      if (isOver || answer === undefined || answer.status >= 500) return;
      end();
      setBack(lost);
      void queries.refetchQueries({ predicate: ({ state }) => state.status === "error" });
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
