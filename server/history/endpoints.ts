import { BYTE_ORDER_MARK } from "../csv";
import { endpoint, failureExample, faultExample, type Tag, wrongInput } from "../endpoint";
import { errors } from "../errors/catalogue";
import { withThousands } from "../input/thousands";
import { MAX_PRICES } from "../prices/schema";
import { exportEventsInput, listEventKeysInput, listEventsInput, revertEventInput } from "./schema";

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
    description:
      "Every change of a key, a group, limits, prices, settings or ways to sign in, and every sign-in, newest first.",
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
      "text/csv": `${BYTE_ORDER_MARK}id,at,action,actor,actor_name,address,group_id,group_name,key_count,keys,before,after,reverts\r\n6920a1f0c3d4e5f607182940,2026-11-21T00:00:00Z,group.created,rest,sk-AbC1234,203.0.113.7,6920a1f0c3d4e5f60718293a,Research,0,[],{},"{""name"":""Research""}",\r\n`,
      "application/x-ndjson":
        '{"id":"6920a1f0c3d4e5f607182940","at":1795219200,"action":"group.created","actor":{"kind":"rest","name":"sk-AbC1234"},"address":"203.0.113.7","group_id":"6920a1f0c3d4e5f60718293a","group_name":"Research","key_count":0,"keys":[],"before":{},"after":{"name":"Research"},"reverts":null,"reverted_by":null}\n',
    },
    errors: { 400: wrongInput(exportEventsInput, { format: "xlsx" }) },
  }),

  keys: endpoint({
    method: "GET",
    path: "/v1/history/{event_id}/keys",
    operationId: "listChangedApiKeys",
    tag,
    summary: "List the keys of one change",
    description: "Every key that a change was done to, with its values before, and those after that differ.",
    success: "A page of the keys.",
    errors: { 400: wrongInput(listEventKeysInput, { event_id: "6920a1f0c3d4e5f607182940", page: 0 }) },
  }),

  revert: endpoint({
    method: "POST",
    path: "/v1/history/{event_id}/revert",
    operationId: "revertChange",
    tag,
    summary: "Undo a change",
    description:
      "Gives keys the limits, name, group and state, a group the name, description and defaults, or the account the prices of models, that they had before an event. What was changed since is named and stays, unless `force` is `true`; the prices of an event are undone all or none. Creating, revoking and rotating keys stay as they are, as does everything else. With `dry_run` nothing changes, and the answer says what would happen.",
    success: "The change is undone, as far as it can be. `failed` names what stays as it is.",
    requests: {
      undo: { summary: "Undo", value: { force: false } },
      preview: { summary: "Only say what would happen", value: { dry_run: true } },
      force: { summary: "Also what was changed since", value: { force: true } },
    },
    answer: {
      success: true,
      message: "Undone on 3 API keys, 1 stays as it is.",
      updated_count: 3,
      failed_count: 1,
      skipped_count: 1,
      failed: [
        {
          apikey_id: "sk-AbC1234",
          group_id: null,
          valid_from: null,
          name: "production",
          code: errors.changedSince().code,
          error: errors.changedSince().reason,
        },
      ],
      event_ids: ["6920a1f0c3d4e5f607182941"],
    },
    errors: {
      400: {
        when: "The event is of a kind that cannot be undone, or a parameter has the wrong type.",
        examples: {
          final: failureExample("A key was revoked", errors.notRevertible("key.revoked")),
          wrongParameter: faultExample("Wrong parameter", revertEventInput, {
            event_id: "6920a1f0c3d4e5f607182940",
            force: "yes",
          }),
        },
      },
      404: {
        when: "The event does not exist.",
        examples: { noSuchEvent: failureExample("Unknown event", errors.noSuchEvent()) },
      },
      409: {
        when: `Prices would come back, and the account would have more than ${withThousands(MAX_PRICES)}.`,
        examples: { tooMany: failureExample("Too many", errors.tooManyPrices(MAX_PRICES)) },
      },
    },
  }),
};
