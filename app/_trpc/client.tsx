"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import { httpLink } from "@trpc/client";
import { createTRPCReact } from "@trpc/react-query";
import { type ReactNode, useState } from "react";
import { fetchWithProof } from "@/app/_auth/proof";
import type { AppRouter } from "@/server/router";
import { createQueryClient } from "./query-client";

/** The procedures as hooks: `trpc.keys.list.useQuery(input)`. */
export const trpc = createTRPCReact<AppRouter>();

/** One cache and one connection for the whole visit. */
export function TrpcProvider({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  // No batching: requests share a connection, no answer waits for a slower one, and bodies stay small.
  const [client] = useState(() =>
    trpc.createClient({
      links: [httpLink({ url: "/api/trpc", fetch: (address, init) => fetchWithProof(address, init as RequestInit) })],
    }),
  );
  return (
    <trpc.Provider client={client} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </trpc.Provider>
  );
}
