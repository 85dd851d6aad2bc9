import {
  defaultShouldDehydrateQuery,
  MutationCache,
  type Query,
  QueryClient,
  type QueryClientConfig,
} from "@tanstack/react-query";
import { type Failure, failureOf, isConflict, isGone, isUnanswered } from "./failure";
import { isReachable } from "./reachable";

const FRESH_MS = 10_000;

/** The cache of answers. On the server it serves one request, in the browser the whole visit. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new AnswerCache({
    mutationCache: new MutationCache({
      onError: (error) => {
        // What the page shows has been changed, revoked or deleted elsewhere.
        if (isGone(error) || isConflict(error)) void client.invalidateQueries();
        if (isUnanswered(error)) void readAfterLostAnswer(client);
      },
    }),
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
  return client;
}

/**
 * After `invalidateQueries` it takes nothing for fresh that was read before. The library alone joins a first read that is
 * under way, takes the answer of a read that nobody looks at any more for fresh, and takes over what a page brings that the
 * server began to send before the change.
 */
class AnswerCache extends QueryClient {
  #changedAt = Number.NEGATIVE_INFINITY;

  constructor(config: QueryClientConfig) {
    super(config);
    this.getQueryCache().subscribe((event) => {
      const { query } = event;
      const cameWithPage =
        event.type === "added"
          ? query.state.data !== undefined
          : event.type === "updated" && event.action.type === "setState";
      // What the server read longer ago is read again anyway.
      if (cameWithPage && Date.now() - this.#changedAt < FRESH_MS) readAgain(query);
    });
  }

  override invalidateQueries(...[filters, options]: Parameters<QueryClient["invalidateQueries"]>): Promise<void> {
    this.#changedAt = Date.now();
    for (const query of this.getQueryCache().findAll({ ...filters, fetchStatus: "fetching" })) {
      if (!query.isActive() || filters?.refetchType === "none") {
        const again = () => readAgain(query);
        query.fetch().then(again, again);
      } else if (query.state.data === undefined) query.cancel({ silent: true });
    }
    return super.invalidateQueries(filters, options);
  }
}

/**
 * A change that was not answered may have been made. While nothing can be read, the page keeps what it shows: `useReachableAgain`
 * reads it later.
 */
async function readAfterLostAnswer(client: QueryClient): Promise<void> {
  void client.invalidateQueries({ refetchType: "none" });
  if (await isReachable()) void client.refetchQueries({ stale: true, type: "active" });
}

/** Marks an answer as old, and reads it again when something shows it. */
function readAgain(query: Query): void {
  query.invalidate();
  if (query.isActive()) query.fetch().catch(() => {});
}

function mayPass(failure: Failure): boolean {
  return failure.kind === "refused" ? failure.status === 429 : failure.kind !== "signed-out";
}
