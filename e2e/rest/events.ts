import { expect } from "vitest";
import { type Account, call } from "./client";

/** An event of the history. */
export interface Event {
  id: string;
  at: number;
  action: string;
  actor: { kind: string; name: string };
  address: string | null;
  group_id: string | null;
  group_name: string | null;
  key_count: number;
  keys: { apikey_id: string; name: string; before: unknown; after: unknown }[];
  before: unknown;
  after: unknown;
  reverts: string | null;
  reverted_by: string | null;
}

/** Changes of an account, and the events that they write. @param owner the account of the test that runs. */
export function eventsOf(owner: () => Account) {
  const post = (path: string, body: unknown = {}) => call("POST", path, { key: owner().apikey, body });
  const history = (query: Record<string, string> | string = {}) =>
    call("GET", `/v1/history?${new URLSearchParams(query)}`, { key: owner().apikey });

  async function events(query: Record<string, string> = {}): Promise<Event[]> {
    const { status, body } = await history({ page_size: "100", ...query });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body.data;
  }

  /** The events that a change writes, oldest first. */
  async function eventsDuring(change: () => Promise<unknown>): Promise<Event[]> {
    const known = new Set((await events()).map(({ id }) => id));
    await change();
    return (await events()).filter(({ id }) => !known.has(id)).reverse();
  }

  /** The expected event. All events of these tests have the same actor and the same address. */
  function event(fields: Partial<Event>): Event {
    return {
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      at: expect.any(Number),
      action: "",
      actor: { kind: "rest", name: owner().apikey.slice(0, 10) },
      address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
      group_id: null,
      group_name: null,
      key_count: 0,
      keys: [],
      before: {},
      after: {},
      reverts: null,
      reverted_by: null,
      ...fields,
    };
  }

  return { post, history, events, eventsDuring, event };
}
