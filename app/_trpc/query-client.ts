import { defaultShouldDehydrateQuery, QueryClient } from "@tanstack/react-query";
import { type Failure, failureOf } from "./failure";

const FRESH_MS = 10_000;

/** The cache of answers. On the server it serves one request, in the browser the whole visit. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The browser does not ask again for what the server has just rendered.
        staleTime: FRESH_MS,
        // A second attempt may help against an outage or too much at once, but not against another refusal.
        retry: (count, error) => count < 1 && mayPass(failureOf(error)),
        // Without a network a request must fail and show why, instead of waiting.
        networkMode: "always",
        // The library leaves it out where a request does not wait for the network.
        refetchOnReconnect: true,
      },
      mutations: { networkMode: "always" },
      dehydrate: { shouldDehydrateQuery: defaultShouldDehydrateQuery },
    },
  });
}

function mayPass(failure: Failure): boolean {
  return failure.kind === "refused" ? failure.status === 429 : failure.kind !== "signed-out";
}
