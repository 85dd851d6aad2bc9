import { expect } from "vitest";
import { type Account, call } from "./client";

/** Changes of an account that are undone. @param owner the account of the test that runs. */
export function changesOf(owner: () => Account) {
  const post = (path: string, body: unknown = {}) => call("POST", path, { key: owner().apikey, body });
  const get = async (path: string) => (await call("GET", path, { key: owner().apikey })).body;
  const newest = async (query = "") => (await get(`/v1/history?page_size=1${query}`)).data[0];
  return {
    post,
    get,
    newest,
    key: (id: string) => get(`/v1/apikeys/${id}`),
    eventCount: async () => (await get("/v1/history?page_size=1")).total,
    revert: (event: { id: string }, body: object = {}) => post(`/v1/history/${event.id}/revert`, body),
    /** Makes a change that succeeds, and returns its event. */
    async change(path: string, body: object = {}) {
      const answer = await post(path, body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return newest();
    },
  };
}
