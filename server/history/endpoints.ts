import { endpoint, type Tag, wrongInput } from "../endpoint";
import { listEventKeysInput, listEventsInput } from "./schema";

const tag: Tag = {
  name: "History",
  description: "What was changed: by whom, when, from where, before and after.",
};

/** The endpoints of the history. */
export const historyEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/v1/history",
    tag,
    summary: "List what was changed",
    description: "Every change of a key, a group, limits, settings or ways to sign in, newest first.",
    success: "A page of the history.",
    errors: { 400: wrongInput(listEventsInput, { from: "2026/11/01" }) },
  }),

  keys: endpoint({
    method: "GET",
    path: "/v1/history/{event_id}/keys",
    tag,
    summary: "List the keys of one change",
    description: "Every key that a change was done to, with its values before.",
    success: "A page of the keys.",
    errors: { 400: wrongInput(listEventKeysInput, { event_id: "6920a1f0c3d4e5f607182940", page: 0 }) },
  }),
};
