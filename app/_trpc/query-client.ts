import { defaultShouldDehydrateQuery, QueryClient, type QueryClientConfig } from "@tanstack/react-query";
import { type Failure, failureOf } from "./failure";

const FRESH_MS = 10_000;

/** The cache of answers. On the server it serves one request, in the browser the whole visit. */
export function createQueryClient(): QueryClient {
  return new AnswerCache({
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

/**
 * After `invalidateQueries` it shows nothing that was read before: the library alone would join a first read that is under
 * way, and would take over what a page brings that the server began to send before the change.
 */
class AnswerCache extends QueryClient {
  #changedAt = Number.NEGATIVE_INFINITY;

  constructor(config: QueryClientConfig) {
    super(config);
    this.getQueryCache().subscribe(({ type, query }) => {
      const cameWithPage = type === "added" && query.state.data !== undefined;
      // What the server read longer ago is read again anyway.
      if (cameWithPage && Date.now() - this.#changedAt < FRESH_MS) query.invalidate();
    });
  }

  override invalidateQueries(...[filters, options]: Parameters<QueryClient["invalidateQueries"]>): Promise<void> {
    this.#changedAt = Date.now();
    const underWay = this.getQueryCache().findAll({ ...filters, type: "active", fetchStatus: "fetching" });
    for (const query of underWay) if (query.state.data === undefined) query.cancel({ silent: true });
    return super.invalidateQueries(filters, options);
  }
}

function mayPass(failure: Failure): boolean {
  return failure.kind === "refused" ? failure.status === 429 : failure.kind !== "signed-out";
}
