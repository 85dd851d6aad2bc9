import { createHydrationHelpers } from "@trpc/react-query/rsc";
import { headers } from "next/headers";
import { cache } from "react";
import { callerFor } from "@/server/page-caller";
import type { AppRouter } from "@/server/router";
import { createQueryClient } from "./query-client";

/**
 * The procedures for a page that prefetches. `await trpc.keys.list.prefetch(input)` never throws: after a failure the
 * browser asks again and shows why. `<HydrateClient>` passes the answers to the client components inside it.
 */
export const openProcedures = cache(async () => {
  const queryClient = createQueryClient();
  return createHydrationHelpers<AppRouter>(callerFor(await headers()), () => queryClient);
});
