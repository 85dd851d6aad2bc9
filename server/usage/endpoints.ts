import { endpoint, type Tag, wrongInput } from "../endpoint";
import { keyUsageInput, usageInput } from "./schema";

const tag: Tag = { name: "Usage", description: "What was spent, by day." };

const wrongRange = { from: "2026-11-30", to: "2026-11-01" };
const wrongRangeOfKey = wrongInput(keyUsageInput, { apikey_id: "sk-AbC1234", ...wrongRange });

/** The endpoints of usage. */
export const usageEndpoints = {
  account: endpoint({
    method: "GET",
    path: "/v1/usage",
    tag,
    summary: "Read the spend of the account",
    description: "What was spent by day, by group or by key: those that spent most, and all others as one.",
    success: "The spend.",
    errors: { 400: wrongInput(usageInput, { ...wrongRange, by: "group" }) },
  }),

  key: endpoint({
    method: "GET",
    path: "/v1/apikeys/{apikey_id}/usage",
    tag,
    summary: "Read the spend of one API key",
    description: "What the key spent by day. Days without spend are left out.",
    success: "The spend.",
    errors: { 400: wrongRangeOfKey },
  }),

  refusals: endpoint({
    method: "GET",
    path: "/v1/apikeys/{apikey_id}/refusals",
    tag,
    summary: "Read why an API key was refused",
    description: "The reasons for which authorizations of the key were refused, and how often.",
    success: "The reasons.",
    errors: { 400: wrongRangeOfKey },
  }),
};
