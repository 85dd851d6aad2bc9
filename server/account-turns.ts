import { availableParallelism } from "node:os";
import { performance } from "node:perf_hooks";
import type { AccountId } from "./auth/account-id";
import { ConcurrencyLimit, type Leave } from "./concurrency-limit";

/** Programs that send many requests at once are ordinary. Memory is what bounds them. */
const MOST_WAITING = 1_000;
/** A request is refused when no request of its account has ended for so long. */
const LONGEST_STANDSTILL_MS = 1_000;
/** A query may wait for other queries of its account as long as a statement may take. */
const LONGEST_QUERY_MS = 30_000;
/** From this share of its time on, the thread of the process counts as busy. */
const BUSY = 0.75;
/** While the thread is busy, an account pauses so many times as long as its last query took, but not longer than this. */
const PAUSE = { times: 2, longestMs: 250 };

/**
 * Bounds what one account has under way in this process, so that it cannot slow the others down
 * (docs/decisions/fairness.md). Of the requests of an account that are under way, only a few at once read: lists and
 * exports take the processor, of this process and of PostgreSQL, from everybody else. While the thread of the process is
 * busy, an account pauses after each query, so that spend has most of it.
 */
export class AccountTurns {
  readonly #requests: ConcurrencyLimit;
  readonly #queries: ConcurrencyLimit;

  /**
   * @param concurrency the most requests of one account that are under way at once on this machine.
   * @param workers how many processes serve on it. Connections are spread over them, so each takes its share of the turns.
   */
  constructor(concurrency: number, workers = 1) {
    const shared = { mostWaiting: MOST_WAITING };
    const requests = Math.ceil(concurrency / workers);
    this.#requests = new ConcurrencyLimit({ ...shared, each: requests, longestStandstill: LONGEST_STANDSTILL_MS });
    const each = Math.ceil(Math.max(2, Math.floor(availableParallelism() / 2)) / workers);
    this.#queries = new ConcurrencyLimit({ ...shared, each, longestStandstill: LONGEST_QUERY_MS });
  }

  /**
   * Waits for the turn of a request. Whoever gets a function calls it at the end of the request.
   * @param who the holders of its other keys share turns of their own, so that they cannot keep the owner waiting.
   * @returns undefined when the request must be refused.
   */
  async enter(
    accountId: AccountId,
    type: "query" | "mutation" | "subscription",
    who: "owner" | "holders" = "owner",
  ): Promise<Leave | undefined> {
    const name = who === "owner" ? accountId : `${accountId} ${who}`;
    const leave = await this.#requests.enter(name);
    if (leave === undefined || type !== "query") return leave;
    const leaveQueries = await this.#queries.enter(name);
    if (leaveQueries === undefined) {
      leave();
      return undefined;
    }
    const begun = performance.now();
    const thread = performance.eventLoopUtilization();
    return () => {
      leave();
      const isBusy = performance.eventLoopUtilization(thread).utilization > BUSY;
      if (!isBusy) return leaveQueries();
      setTimeout(leaveQueries, Math.min(PAUSE.longestMs, PAUSE.times * (performance.now() - begun))).unref();
    };
  }
}
