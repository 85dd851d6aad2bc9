"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { trpc } from "@/app/_trpc/client";
import type { LimitPatch } from "@/server/limits/schema";
import type { Preview } from "./batch/preview";

const TYPING_PAUSE_MS = 300;

/**
 * Whether limits would block a key that works now, by the rule of the server's dry run of many keys.
 * @param patch the limits that are typed. A limit that is taken away blocks nothing, so it need not be in it.
 */
export function useBlockedPreview(apikeyId: string, patch: LimitPatch) {
  const { client } = trpc.useUtils();
  const queries = useQueryClient();
  const typed = JSON.stringify(patch);
  const [settled, setSettled] = useState("{}");
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const query = (text: string) => ({
    queryKey: ["preview of limits", apikeyId, text],
    queryFn: async (): Promise<Preview | null> => {
      const limits: LimitPatch = JSON.parse(text);
      const answer = await client.keys.setLimitsOfMany.mutate({ apikey_ids: [apikeyId], ...limits, dry_run: true });
      return answer.preview ?? null;
    },
    // What is spent changes meanwhile.
    gcTime: 0,
  });
  const { data } = useQuery({ ...query(settled), enabled: settled !== "{}" });
  return {
    /** The keys that the limits which are typed would block; undefined until the server has said so. */
    preview: settled === typed && settled !== "{}" ? (data ?? undefined) : undefined,
    /** The same at once. @throws what the server refuses. */
    ask: () => (typed === "{}" ? Promise.resolve(null) : queries.fetchQuery(query(typed))),
  };
}
