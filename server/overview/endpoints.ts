import { endpoint, type Tag, wrongInput } from "../endpoint";
import { listRefusedKeysInput } from "./schema";

const tag: Tag = { name: "Overview", description: "What an owner wants to know first." };

/** The endpoints of the overview. */
export const overviewEndpoints = {
  get: endpoint({
    method: "GET",
    path: "/v1/overview",
    tag,
    summary: "Read the overview",
    description:
      "The spend of today and of this month, keys at or near a limit, keys that expire soon, refusals, and the newest changes.",
    success: "The overview.",
  }),

  refusals: endpoint({
    method: "GET",
    path: "/v1/refusals",
    operationId: "listRefusedApiKeys",
    tag,
    summary: "List the API keys that were refused",
    description: "The keys of which authorizations were refused, for each reason: those that were refused most first.",
    success: "A page of the keys.",
    errors: { 400: wrongInput(listRefusedKeysInput, { from: "2026-11-30", to: "2026-11-01" }) },
  }),
};
