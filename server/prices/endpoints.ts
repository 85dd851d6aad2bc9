import { alsoForbidden, endpoint, failureExample, faultExample, type Tag, wrongInput } from "../endpoint";
import { errors } from "../errors/catalogue";
import { withThousands } from "../input/thousands";
import {
  importModelsInput,
  listEventModelsInput,
  listModelChangesInput,
  listModelsInput,
  MAX_IMPORT_LENGTH,
  MAX_PRICES,
  modelReference,
  setModelsInput,
} from "./schema";

const tag: Tag = {
  name: "Models",
  description: "What models cost: the operator's prices, and those with which the account overrides them.",
};

const noSuchPrice = {
  when: "The price does not exist.",
  examples: { noSuchPrice: failureExample("Unknown price", errors.noSuchPrice()) },
};
const tooMany = {
  when: `The account would have more than ${withThousands(MAX_PRICES)} prices.`,
  examples: { tooMany: failureExample("Too many", errors.tooManyPrices(MAX_PRICES)) },
};
const wrongReference = {
  ...wrongInput(modelReference, { model_id: "mine" }),
  when: "`model_id` is not a valid ObjectId.",
};

/** A longer body than the longest content, whose characters are escaped. */
const MAX_BODY_BYTES = MAX_IMPORT_LENGTH * 2;

const inYuan = { aliases: [], currency: "CNY", rate: 1, cached_input_price: null, max_output_tokens: null };
const before = { ...inYuan, input_price: 4, output_price: 12, prices: { input: 4, output: 12, cached_input: 4 } };
const after = { ...inYuan, input_price: 3.5, output_price: 12, prices: { input: 3.5, output: 12, cached_input: 3.5 } };
const identity = { model_id: "6920a1f0c3d4e5f607182950", name: "example-small", valid_from: "1970-01-01" };
const oneChanged = {
  success: true,
  message: "Prices: 0 created, 1 changed, 0 deleted, 0 unchanged.",
  created_count: 0,
  changed_count: 1,
  unchanged_count: 0,
  deleted_count: 0,
  changes: [{ change: "changed", ...identity, before, after }],
};

/** The endpoints of prices. */
export const modelEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/v1/models",
    tag,
    summary: "List prices of models",
    description:
      "The prices of the operator and those of the account, by name. With `day`, only those that count on it: one for each name, and none of the operator that the account overrides.",
    success: "A page of the prices.",
    errors: { 400: wrongInput(listModelsInput, { day: "tomorrow" }) },
  }),

  changes: endpoint({
    method: "GET",
    path: "/v1/models/changes",
    operationId: "listModelChanges",
    tag,
    summary: "List what the operator changed",
    description:
      "Every change of a price of the operator, newest first. Changes of the account's own prices are in the history.",
    success: "A page of the changes.",
    errors: { 400: wrongInput(listModelChangesInput, { page: 0 }) },
  }),

  ofEvent: endpoint({
    method: "GET",
    path: "/v1/history/{event_id}/models",
    operationId: "listChangedModels",
    tag,
    summary: "List the prices of one change",
    description: "Every price that one event of the history changed, with the price before and after.",
    success: "A page of the prices.",
    errors: { 400: wrongInput(listEventModelsInput, { event_id: "6920a1f0c3d4e5f607182940", page: 0 }) },
  }),

  get: endpoint({
    method: "GET",
    path: "/v1/models/{model_id}",
    operationId: "getModel",
    tag,
    summary: "Get a price",
    description: "One price of the operator or of the account.",
    success: "The price.",
    errors: { 400: wrongReference, 404: noSuchPrice },
  }),

  set: endpoint({
    method: "POST",
    path: "/v1/models",
    tag,
    summary: "Set prices of models",
    description:
      "Creates prices of the account, or replaces those with the same name and `valid_from`, all or none. With `dry_run` nothing changes, and the answer says what would happen.",
    success: "The prices are set.",
    requests: {
      one: {
        summary: "One price, in yuan",
        value: { models: [{ name: "example-small", input_price: 3.5, output_price: 12 }] },
      },
      dollars: {
        summary: "In another currency, from a day on",
        value: {
          models: [
            {
              name: "example-large",
              aliases: ["example-large-latest"],
              currency: "USD",
              rate: 7.2,
              input_price: 2.5,
              output_price: 10,
              cached_input_price: 1.25,
              max_output_tokens: 16384,
              valid_from: "2026-12-01",
            },
          ],
        },
      },
      basedOn: {
        summary: "Only while it is still as it was read",
        value: {
          models: [
            { name: "example-small", input_price: 3.5, output_price: 12, before: { input_price: 4, output_price: 12 } },
          ],
        },
      },
      pattern: {
        summary: "All models whose names begin so",
        value: { models: [{ name: "example-*", input_price: 20, output_price: 80 }], dry_run: true },
      },
    },
    answer: oneChanged,
    errors: {
      400: {
        when: "A parameter of a price is missing, or has the wrong type or value; a price stands twice.",
        examples: {
          noRate: faultExample("No rate", setModelsInput, {
            models: [{ name: "example-large", currency: "USD", input_price: 2.5, output_price: 10 }],
          }),
          twice: faultExample("A price twice", setModelsInput, {
            models: [
              { name: "example-small", input_price: 3, output_price: 12 },
              { name: "example-small", input_price: 4, output_price: 12 },
            ],
          }),
        },
      },
      404: {
        when: "The price in `before` does not exist any more.",
        examples: { noSuchPrice: failureExample("Deleted meanwhile", errors.noSuchPrice("models[0].before")) },
      },
      409: {
        when: `${tooMany.when} Or a price is not the one in \`before\`: somebody else has changed it meanwhile.`,
        examples: {
          ...tooMany.examples,
          changedMeanwhile: failureExample("Changed meanwhile", errors.priceChangedMeanwhile("models[0].before")),
        },
      },
    },
    maxBodyBytes: MAX_BODY_BYTES,
  }),

  import: endpoint({
    method: "POST",
    path: "/v1/models/import",
    tag,
    summary: "Import prices from a file",
    description:
      "Sets prices of the account from LiteLLM's `model_prices_and_context_window.json`, or from CSV, all or none. What LiteLLM's file does not price by tokens is left out and named. With `replace`, the account's prices with the same `valid_from` that the file does not have are deleted. With `dry_run` nothing changes, and the answer says what would happen.",
    success: "The prices are set.",
    requests: {
      csv: {
        summary: "CSV, in yuan",
        value: { format: "csv", content: "name,input_price,output_price\nexample-small,3.5,12\n" },
      },
      litellm: {
        summary: "LiteLLM's file, in dollars",
        value: {
          format: "litellm",
          content:
            '{"example-large": {"input_cost_per_token": 2.5e-06, "output_cost_per_token": 1e-05, "cache_read_input_token_cost": 1.25e-06, "max_output_tokens": 16384}}',
          rate: 7.2,
          replace: true,
          dry_run: true,
        },
      },
    },
    answer: {
      ...oneChanged,
      skipped_count: 0,
      skipped: [],
    },
    errors: {
      400: {
        when: "A parameter is missing, or has the wrong type or value; the file has a fault, or no price; `rate` is missing for a currency other than CNY.",
        examples: {
          wrongFormat: faultExample("Unknown format", importModelsInput, { format: "xlsx", content: "" }),
          wrongLine: failureExample(
            "A fault in a line",
            "content.line 2 (example-small).input_price: must be a number of 0 or more, for example 2.5",
          ),
        },
      },
      409: tooMany,
    },
    maxBodyBytes: MAX_BODY_BYTES,
  }),

  delete: endpoint({
    method: "POST",
    path: "/v1/models/{model_id}/delete",
    operationId: "deleteModel",
    tag,
    summary: "Delete a price",
    description:
      "Deletes a price of the account. If the operator has a price for the model, that one counts from then on. What is authorized keeps its price.",
    success: "The price is deleted.",
    errors: {
      400: wrongReference,
      403: alsoForbidden("Or the price is of the operator.", {
        ofOperator: failureExample("Price of the operator", errors.priceOfOperator()),
      }),
      404: noSuchPrice,
    },
  }),
};
