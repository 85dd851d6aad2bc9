import { BYTE_ORDER_MARK } from "../csv";
import { endpoint, type Tag, wrongInput } from "../endpoint";
import { exportTotalsInput, keyUsageInput, totalsInput, usageInput } from "./schema";

const tag: Tag = { name: "Usage", description: "What was spent, by day." };

const wrongRange = { from: "2026-11-30", to: "2026-11-01" };
const wrongRangeOfKey = wrongInput(keyUsageInput, { apikey_id: "sk-AbC1234", ...wrongRange });

/** The endpoints of usage. */
export const usageEndpoints = {
  account: endpoint({
    method: "GET",
    path: "/v1/usage",
    operationId: "getUsage",
    tag,
    summary: "Read the spend of the account",
    description: "What was spent by day, by group, by key or by model: those that spent most, and all others as one.",
    success: "The spend.",
    errors: { 400: wrongInput(usageInput, { ...wrongRange, by: "group" }) },
  }),

  totals: endpoint({
    method: "GET",
    path: "/v1/usage/totals",
    operationId: "listUsageTotals",
    tag,
    summary: "List what every group, API key or model spent",
    description:
      "Every group, key or model that had a capture in the range, with what it spent: searched, sorted and paged. The sums of all pages stand beside.",
    success: "A page of the totals.",
    errors: { 400: wrongInput(totalsInput, { ...wrongRange, by: "key" }) },
  }),

  exportTotals: endpoint({
    method: "GET",
    path: "/v1/usage/export",
    operationId: "exportUsageTotals",
    tag,
    summary: "Export what every group, API key or model spent",
    description:
      "Every group, key or model that had a capture in the range, as one CSV file. Groups and models come with the largest first, keys in the order of their ids. The server sends it while it reads.",
    success: "The file.",
    file: {
      "text/csv": `${BYTE_ORDER_MARK}apikey_id,name,group_id,group_name,captures,spent\r\nsk-AbC1234,production,6920a1f0c3d4e5f60718293a,Research,40,12.5\r\n`,
    },
    errors: { 400: wrongInput(exportTotalsInput, { ...wrongRange, by: "key" }) },
  }),

  key: endpoint({
    method: "GET",
    path: "/v1/apikeys/{apikey_id}/usage",
    operationId: "getApiKeyUsage",
    tag,
    summary: "Read the spend of one API key",
    description: "What the key spent by day. Days without spend are left out.",
    success: "The spend.",
    errors: { 400: wrongRangeOfKey },
  }),

  refusals: endpoint({
    method: "GET",
    path: "/v1/apikeys/{apikey_id}/refusals",
    operationId: "getApiKeyRefusals",
    tag,
    summary: "Read why an API key was refused",
    description: "The reasons for which authorizations of the key were refused, and how often.",
    success: "The reasons.",
    errors: { 400: wrongRangeOfKey },
  }),
};
