import { createHydrationHelpers } from "@trpc/react-query/rsc";
import type { inferRouterOutputs } from "@trpc/server";
import { headers } from "next/headers";
import { cache } from "react";
import { callerFor } from "@/server/page-caller";
import type { AppRouter } from "@/server/router";
import { createQueryClient } from "./query-client";

type Answers = inferRouterOutputs<AppRouter>;

/**
 * The procedures for a page that prefetches. `await trpc.keys.list.prefetch(input)` never throws: after a failure the
 * browser asks again and shows why. `<HydrateClient>` passes the answers to the client components inside it.
 */
export const openProcedures = cache(async () => {
  const queryClient = createQueryClient();
  return {
    ...createHydrationHelpers<AppRouter>(callerFor(await headers()), () => queryClient),
    /** The answer of a query that was prefetched; undefined after a failure. The page prefetches it once. */
    answerOf<Noun extends keyof Answers, Name extends keyof Answers[Noun]>(noun: Noun, name: Name) {
      const [found] = queryClient.getQueriesData<Answers[Noun][Name]>({ queryKey: [[noun, name]] });
      return found?.[1];
    },
  };
});
