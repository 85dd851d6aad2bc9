import type { SentBy } from "../auth/credential-queries";
import { type KeyReference, nameOfKey, namesOf } from "../auth/key-owner";
import { arrayParameter } from "../db/array-parameter";
import { bound, type Rows } from "../db/pipeline";
import { comparableState } from "../prices/catalogues";
import { type PricesState, READ_PRICES_STATE } from "../prices/statements/read-prices";
import type { SpendCall, StoredAuthorization } from "./decide";
import { authorizationOf } from "./key-rows";
import { type AuthorizationRow, READ_AUTHORIZATIONS, READ_REQUESTS } from "./statements/read-authorizations";
import { type KeyRow, READ_LOCKED_KEYS, READ_VERSIONED_KEYS } from "./statements/read-keys";

/** A call as it waits for its decision. */
export type SentCall = SpendCall & SentBy;

/** The calls of one key, and what the database has of them. */
export interface KeyCalls {
  /** `nameOfKey`. */
  name: string;
  key: KeyReference;
  calls: SentCall[];
  /** Undefined: there is no such key. */
  row: KeyRow | undefined;
  /** The authorizations that calls settle, by their ids, and those that requests have already, by the ids of these. */
  stored: { byId: Map<string, StoredAuthorization>; byRequest: Map<string, StoredAuthorization> };
  /** How new the prices of the account are, where a call is by a model. */
  prices: PricesState | undefined;
}

/** The calls by their keys, in the order in which all transactions lock keys. */
export function groupByKey(calls: readonly SentCall[]): KeyCalls[] {
  const groups = new Map<string, KeyCalls>();
  for (const call of calls) {
    const { key } = call;
    const name = nameOfKey(key);
    const group = groups.get(name);
    if (group) group.calls.push(call);
    else groups.set(name, { name, key, calls: [call], row: undefined, stored: newStored(), prices: undefined });
  }
  return [...groups.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function newStored(): KeyCalls["stored"] {
  return { byId: new Map(), byRequest: new Map() };
}

/**
 * The statements that read the keys of the calls, and what the calls name: none where nothing is named. `keep` puts their rows
 * into the groups.
 * @param isVersioned whether the versions of the rows are read too.
 */
export function reading(groups: readonly KeyCalls[], isVersioned: boolean) {
  const settled = groups.flatMap(({ key, calls, stored }) =>
    calls.flatMap((call) => (call.kind === "hold" ? [] : [{ key, id: call.id, found: stored.byId }])),
  );
  const requests = requestsOf(groups);
  const byModel = groups.filter(({ calls }) => calls.some((call) => call.kind === "hold" && call.known));
  const accountIds = [...new Set(byModel.map(({ key }) => key.accountId))];
  const statements = [
    bound<KeyRow>(isVersioned ? READ_VERSIONED_KEYS : READ_LOCKED_KEYS, [
      ...namesOf(groups),
      arrayParameter(groups.map(isByValue)),
    ]),
    settled.length > 0 ? bound(READ_AUTHORIZATIONS, placesOf(settled)) : undefined,
    requests.length > 0 ? bound(READ_REQUESTS, valuesOf(requests)) : undefined,
    accountIds.length > 0 ? bound(READ_PRICES_STATE, [arrayParameter(accountIds)]) : undefined,
  ] as const;
  const keep = ([keys, byId, byRequest, prices]: Rows<typeof statements>) => {
    for (const group of groups) {
      group.row = undefined;
      group.stored.byId.clear();
      group.stored.byRequest.clear();
    }
    for (const row of keys) {
      const group = groups[row.place - 1];
      if (group) group.row = row;
    }
    keepFound(settled, byId);
    keepFound(requests, byRequest);
    const states = new Map(prices.map((row) => [accountIds[row.place - 1], comparableState(row, isVersioned)]));
    for (const group of byModel) group.prices = states.get(group.key.accountId);
  };
  return { statements, keep };
}

/** The requests that calls name, and where their authorizations are kept. */
export function requestsOf(groups: readonly KeyCalls[]) {
  return groups.flatMap(({ key, calls, stored }) =>
    calls.flatMap((call) =>
      call.kind === "hold" && call.requestId !== undefined
        ? [{ key, id: call.requestId, found: stored.byRequest }]
        : [],
    ),
  );
}

/** The parameters of a statement that looks requests up. */
export function valuesOf(requests: ReturnType<typeof requestsOf>): string[] {
  return [...namesOf(requests), idsOf(requests)];
}

function idsOf(asked: readonly { id: string }[]): string {
  return arrayParameter(asked.map(({ id }) => id));
}

/** The parameters of a statement that looks authorizations up: the accounts, and the ids. */
export function placesOf(asked: readonly { key: KeyReference; id: string }[]): string[] {
  return [arrayParameter(asked.map(({ key }) => key.accountId)), idsOf(asked)];
}

/** Whether a call presents a value of the key. */
export function isByValue({ calls }: KeyCalls): boolean {
  return calls.some((call) => call.kind === "hold" && call.value !== null);
}

function keepFound(
  asked: readonly { id: string; found: Map<string, StoredAuthorization> }[],
  rows: readonly AuthorizationRow[],
): void {
  for (const row of rows) {
    const { id, found } = asked[row.place - 1] ?? {};
    if (id !== undefined) found?.set(id, authorizationOf(row));
  }
}

/** Whether a hold is judged on a key whose counters still count holds that have expired. */
export function mustRelease({ calls, row }: KeyCalls, mayBeDecided: (call: SentCall) => boolean): boolean {
  return (row?.must_release ?? false) && calls.some((call) => call.kind === "hold" && mayBeDecided(call));
}
