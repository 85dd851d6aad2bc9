import { endpoint, type Tag } from "../endpoint";

const tag: Tag = { name: "Allowance", description: "What a key may still spend, for whoever holds it." };

/** The endpoint for the holders of keys. */
export const allowanceEndpoints = {
  get: endpoint({
    method: "GET",
    path: "/v1/allowance",
    tag,
    summary: "Read what the key may spend",
    description:
      "The limits of the key that the request carries, what is spent, held and left, when each window begins anew, and the models that it may call. Any valid key reads its own, and nothing of another one.",
    success: "What the key may spend and call.",
  }),
};
