import { BYTE_ORDER_MARK } from "../csv";
import { endpoint, type Tag, wrongInput } from "../endpoint";
import { exportEventsInput, listEventKeysInput, listEventsInput } from "./schema";

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

  export: endpoint({
    method: "GET",
    path: "/v1/history/export",
    tag,
    summary: "Export the history",
    description: "All events that match, newest first, as one file. The server sends it while it reads.",
    success: "The file.",
    file: {
      "text/csv": `${BYTE_ORDER_MARK}id,at,action,actor,…`,
      "application/x-ndjson": '{"id":"6920a1f0c3d4e5f607182940","at":1795274081,"action":"key.limits_set",…}',
    },
    errors: { 400: wrongInput(exportEventsInput, { format: "xlsx" }) },
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
