import { endpoint, failureExample, type Tag, wrongInput } from "../endpoint";
import { errors } from "../errors/catalogue";
import { modelsOfKeyInput } from "./schema";

const tag: Tag = {
  name: "Price ceilings",
  description: "Which models of the price catalogue the price ceilings of a key allow.",
};

const wrong = wrongInput(modelsOfKeyInput, { apikey_id: "sk-AbC1234", account_id: "Research" });

/** The endpoints of what price ceilings mean. */
export const ceilingEndpoints = {
  modelsOfKey: endpoint({
    method: "GET",
    path: "/v1/apikeys/{apikey_id}/models",
    operationId: "listApiKeyModels",
    tag,
    summary: "List the models that a key may call",
    description:
      "The models whose prices are not above the ceilings of the key, in the form of OpenAI's list of models, so that a gateway can answer `/v1/models` with it. Takes the default key, or a gateway's token with `account_id`.",
    success: "The models that the key may call now.",
    errors: {
      400: {
        ...wrong,
        when: "`account_id` is not a valid ObjectId, or a gateway's token is sent without it.",
        examples: {
          ...wrong.examples,
          noAccount: failureExample("A token without an account", errors.accountNotNamed()),
        },
      },
      404: {
        when: "The key does not exist, or is revoked.",
        examples: { noSuchKey: failureExample("Unknown key", errors.noSuchKey()) },
      },
    },
  }),

  modelsInForce: endpoint({
    method: "GET",
    path: "/v1/models/in_force",
    operationId: "listModelsInForce",
    tag,
    summary: "List the prices that count today",
    description:
      "Every model and pattern that has a price today, of the account's own catalogue and of the operator's, with its prices in yuan. Price ceilings are compared with these.",
    success: "The prices that count today.",
  }),
};
