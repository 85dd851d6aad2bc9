import { createHydrationHelpers } from "@trpc/react-query/rsc";
import { headers } from "next/headers";
import { cache } from "react";
import { callerFor } from "@/server/page-caller";
import type { AppRouter } from "@/server/router";
import { createQueryClient } from "./query-client";

/**
 * What a page prefetches with. `await trpc.keys.list.prefetch(input)` never throws: where it failed, the browser asks
 * again and shows why. What was fetched reaches the client components inside <HydrateClient>.
 */
export const openProcedures = cache(async () => {
  const queryClient = createQueryClient();
  return createHydrationHelpers<AppRouter>(callerFor(await headers()), () => queryClient);
});
