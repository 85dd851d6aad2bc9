import { defaultShouldDehydrateQuery, QueryClient } from "@tanstack/react-query";
import { failureOf } from "./failure";

const FRESH_MS = 10_000;

/** The cache of answers: of one request on the server, of the whole visit in the browser. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // What the server has just rendered is not asked for again at once.
        staleTime: FRESH_MS,
        // Once more for what may pass by itself; a refusal stays one.
        retry: (count, error) => count < 1 && ["unreachable", "broken"].includes(failureOf(error).kind),
        // Without a network a request fails, and says so, instead of waiting without a word.
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
      dehydrate: { shouldDehydrateQuery: defaultShouldDehydrateQuery },
    },
  });
}
