import type { AccountId } from "../auth/account-id";
import { BatchQueue } from "../batch-queue";
import { arrayParameter } from "../db/array-parameter";
import type { Database } from "../db/client";
import { runOnPool } from "../db/pipeline";
import { run, type Statement } from "../db/statement";
import { measureRemembered } from "../metrics/remembered";
import { RecentMap } from "../recent-map";
import { Catalogue } from "./catalogue";
import { type ModelPrice, PriceList } from "./price-list";
import {
  type PriceRow,
  type PricesState,
  READ_ACCOUNT_PRICES,
  READ_OPERATOR_PRICES,
  READ_PRICES_STATE,
} from "./statements/read-prices";
import { pricesOf } from "./tariff";
import { ratesOfRow } from "./tariff-row";

/** What a process knows of the prices of an account, and how old that is. */
export interface KnownCatalogue extends PricesAge {
  catalogue: Catalogue;
}

/** Which prices these are: of a day, and of versions that are at least so new. */
interface PricesAge {
  runningSince: string;
  /** YYYY-MM-DD, in the account's time zone. */
  day: string;
  ownVersion: number;
  operatorVersion: number;
}

/** Whether prices that are known are those of a state that was read just now. */
export function areCurrent({ day, runningSince, ownVersion, operatorVersion }: PricesAge, state: PricesState): boolean {
  return (
    day === state.day &&
    runningSince === state.running_since &&
    ownVersion >= state.own_version &&
    operatorVersion >= state.operator_version
  );
}

/** A state as it is compared. Each server of a distributed database runs since another moment, so that is left out there. */
export function comparableState(state: PricesState, isOnOneServer: boolean): PricesState {
  return isOnOneServer ? state : { ...state, running_since: "" };
}

/** A list of prices that was read when its version was at least this, of a PostgreSQL that has run since then. */
interface KnownPrices {
  runningSince: string;
  version: number;
  list: PriceList;
}

/** What is remembered of an account: its own prices, and its day when they were asked for last. */
interface KnownAccount {
  day: string;
  own: KnownPrices;
}

const MOST_AT_ONCE = 256;
const LANES = 2;
/** Accounts and their own prices together: one may have 10,000 prices, and most have none (docs/operations.md#memory). */
const MOST_REMEMBERED = 50_000;
const NO_PRICES = new PriceList([]);

/**
 * The catalogues of prices. There is one for a process. It remembers the prices and asks the database each time whether they
 * have changed, so that a change counts for every call that comes after it, whichever process made it.
 */
export class Catalogues {
  readonly #states: BatchQueue<AccountId, PricesState | undefined>;
  readonly #accounts = new RecentMap<string, KnownAccount>(MOST_REMEMBERED, ({ own }) => 1 + own.list.size);
  #operators: KnownPrices = { runningSince: "", version: 0, list: NO_PRICES };

  constructor(private readonly db: Pick<Database, "lookUpPool" | "distribution">) {
    measureRemembered("prices", this.#accounts);
    this.#states = new BatchQueue({
      queue: "prices",
      nameOf: (accountId) => accountId,
      shardOf: () => "",
      work: (accountIds) => this.#readStates(accountIds),
      // No id can make the statement fail, so that each alone would fail too.
      mayTryAgain: () => false,
      mostAtOnce: MOST_AT_ONCE,
      lanes: LANES,
    });
  }

  /** What models cost an account now. */
  async find(accountId: AccountId): Promise<Catalogue> {
    const state = await this.#states.run(accountId);
    if (!state) return new Catalogue(NO_PRICES, NO_PRICES, "1970-01-01");
    const [own, operators] = await Promise.all([this.#ownPrices(accountId, state), this.#operatorPrices(state)]);
    this.#accounts.set(accountId, { day: state.day, own });
    return new Catalogue(own.list, operators.list, state.day);
  }

  /**
   * What is known of the prices of an account since they were asked for last; undefined when they never were. They may have
   * changed since: who uses it has to compare it with `READ_PRICES_STATE` (`areCurrent`) before anything is decided.
   */
  known(accountId: AccountId): KnownCatalogue | undefined {
    const account = this.#accounts.get(accountId);
    if (!account) return undefined;
    const { day, own } = account;
    const { runningSince, version: operatorVersion, list: operators } = this.#operators;
    if (own.runningSince !== runningSince) return undefined;
    const catalogue = new Catalogue(own.list, operators, day);
    return { catalogue, day, runningSince, ownVersion: own.version, operatorVersion };
  }

  async #readStates(accountIds: AccountId[]): Promise<(PricesState | undefined)[]> {
    const rows = await runOnPool(this.db.lookUpPool, READ_PRICES_STATE, [arrayParameter(accountIds)]);
    const { isOnOneServer } = this.db.distribution;
    const found = new Map(rows.map((row) => [row.place, comparableState(row, isOnOneServer)]));
    return accountIds.map((_, i) => found.get(i + 1));
  }

  async #ownPrices(accountId: AccountId, state: PricesState): Promise<KnownPrices> {
    const least = leastOf(state, state.own_version);
    // Most accounts have no price of their own, and never had.
    if (least.version === 0) return { ...least, list: NO_PRICES };
    const known = this.#accounts.get(accountId)?.own;
    return isAsNew(known, least) ? known : this.#read(READ_ACCOUNT_PRICES, [accountId], "account", least);
  }

  async #operatorPrices(state: PricesState): Promise<KnownPrices> {
    const least = leastOf(state, state.operator_version);
    if (isAsNew(this.#operators, least)) return this.#operators;
    const read = await this.#read(READ_OPERATOR_PRICES, [], "operator", least);
    if (!isAsNew(this.#operators, read)) this.#operators = read;
    return read;
  }

  /** @param least what it is at least; its version counts where there is no row to read it from. */
  async #read(
    statement: Statement<PriceRow>,
    values: unknown[],
    source: ModelPrice["source"],
    { runningSince, version }: Age,
  ): Promise<KnownPrices> {
    const rows = await run(this.db.lookUpPool, statement, values);
    const prices = rows.flatMap((row) => (row.id === null ? [] : [priceOfRow({ ...row, id: row.id }, source)]));
    return { runningSince, version: rows[0]?.version ?? version, list: new PriceList(prices) };
  }
}

type Age = Omit<KnownPrices, "list">;

function leastOf({ running_since: runningSince }: PricesState, version: number): Age {
  return { runningSince, version };
}

/** Whether known prices are of the same PostgreSQL and not older. */
function isAsNew(known: KnownPrices | undefined, { runningSince, version }: Age): known is KnownPrices {
  return known !== undefined && known.runningSince === runningSince && known.version >= version;
}

function priceOfRow(row: PriceRow & { id: string }, source: ModelPrice["source"]): ModelPrice {
  return {
    id: row.id,
    source,
    name: row.name,
    aliases: row.aliases,
    prices: pricesOf(ratesOfRow(row)),
    maxOutputTokens: row.max_output_tokens,
    validFrom: row.valid_from,
  };
}
