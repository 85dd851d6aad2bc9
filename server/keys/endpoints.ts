import { alsoForbidden, endpoint, failureExample, faultExample, type Tag, wrongInput } from "../endpoint";
import { errors } from "../errors/catalogue";
import { limitFaultExamples, NO_LIMIT_SET } from "../limits/examples";
import {
  batchInput,
  changeKeyInput,
  createKeyInput,
  createKeysInput,
  exportKeysInput,
  listKeysInput,
  MAX_CREATED,
  moveKeyInput,
  renameKeyInput,
  rotateKeyInput,
  setLimitsInput,
  setLimitsOfManyInput,
} from "./schema";

const tag: Tag = { name: "API keys", description: "Create keys, read and change them, set their limits." };

const apikeyId = "sk-AbC1234";

/** How many keys one chunk of an export has. While they are written, no authorization moves (docs/decisions/fairness.md). */
export const CHUNK = 100;
/** The same, in an order that no index has: each chunk reads all keys that match, so there are fewer of them. */
export const LARGE_CHUNK = 1000;

const noSuchKey = {
  when: "The key does not exist.",
  examples: { noSuchKey: failureExample("Unknown key", errors.noSuchKey()) },
};
const noSuchActiveKey = { ...noSuchKey, when: "The key does not exist, or is revoked." };
const changedMeanwhile = {
  when: "`version` was sent, and the key was changed meanwhile.",
  examples: { changedMeanwhile: failureExample("Changed meanwhile", errors.keyChangedMeanwhile()) },
};
const wrongOfMany = (fault: ReturnType<typeof wrongInput>) => ({
  when: `${fault.when} Or \`request_id\` was used before, for another change.`,
  examples: { ...fault.examples, ofAnotherChange: failureExample("Another change", errors.requestOfAnotherChange()) },
});
const wrongVersion = wrongInput(changeKeyInput, { apikey_id: apikeyId, version: "4" });

/** The endpoints of keys. */
export const keyEndpoints = {
  create: endpoint({
    method: "POST",
    path: "/v1/apikeys",
    operationId: "createApiKey",
    tag,
    summary: "Create an API key",
    description:
      "A limit that is not sent is unset, or takes the default of a group with `apply_defaults`. The key value is returned this once.",
    status: 201,
    success: "The key has been created.",
    requests: {
      limited: {
        summary: "With limits",
        value: { name: "production", budget: 1000, daily_limit: 50, expiry_date: "2027-12-31" },
      },
      unlimited: { summary: "Without limits", value: { name: "production" } },
      grouped: {
        summary: "In a group",
        value: { name: "production", group_id: "6920a1f0c3d4e5f60718293a", monthly_limit: 500 },
      },
    },
    answer: {
      success: true,
      message: "API key created.",
      apikey: "sk-AbC1234Zk3vWq8sT1nRb5yHd7mPx9cLf2gJe4uO0oZJvh",
      name: "production",
      group_id: null,
      ...NO_LIMIT_SET,
      budget: 1000,
      expiry_date: "2027-12-31",
      daily_limit: 50,
    },
    errors: {
      400: {
        when:
          "`name` is missing, empty or longer than 128 characters; a parameter has the wrong type; `group_id` is not a " +
          "valid ObjectId or names no existing group; a limit is negative or not a number; `expiry_date` is not a date " +
          "in the format YYYY-MM-DD.",
        examples: {
          wrongType: faultExample("Wrong type", createKeyInput, { name: "production", budget: "1000" }),
          nameEmpty: faultExample("Empty name", createKeyInput, { name: "" }),
          noSuchGroup: failureExample("Unknown group", errors.groupNamesNone()),
        },
      },
      500: {
        when: "The creation failed inside the service.",
        examples: { creationFailed: failureExample("Creation failed", errors.keyNotCreated()) },
      },
    },
  }),

  createMany: endpoint({
    method: "POST",
    path: "/v1/apikeys/bulk",
    operationId: "createManyApiKeys",
    tag,
    summary: "Create many API keys",
    description: `Creates up to ${MAX_CREATED} keys, all or none. Each has the parameters of the creation of one key. The key values are returned this once.`,
    status: 201,
    success: "The keys have been created.",
    maxBodyBytes: 2 * 1024 * 1024,
    requests: {
      two: {
        summary: "Two keys",
        value: {
          keys: [
            { name: "worker-1", budget: 100 },
            { name: "worker-2", group_id: "6920a1f0c3d4e5f60718293a" },
          ],
        },
      },
    },
    answer: {
      success: true,
      message: "2 API keys created.",
      created_count: 2,
      keys: [
        {
          apikey: "sk-AbC1234Zk3vWq8sT1nRb5yHd7mPx9cLf2gJe4uO0oZJvh",
          name: "worker-1",
          group_id: null,
          ...NO_LIMIT_SET,
          budget: 100,
        },
        {
          apikey: "sk-DeF5678Xq7wLs2vB9kTn4cRy6hJm1pGz8eUa3iOo5dNbfK",
          name: "worker-2",
          group_id: "6920a1f0c3d4e5f60718293a",
          ...NO_LIMIT_SET,
        },
      ],
    },
    errors: {
      400: {
        when: `A parameter of a key is wrong, as for the creation of one key; \`keys\` is empty or has more than ${MAX_CREATED}. Each fault names the place of its key, counted from 0. No key is created.`,
        examples: {
          wrongRow: faultExample("A wrong key", createKeysInput, {
            keys: [{ name: "worker-1" }, { name: "", budget: -1 }],
          }),
          noKey: faultExample("No key", createKeysInput, { keys: [] }),
        },
      },
    },
  }),

  setLimits: endpoint({
    method: "POST",
    path: "/v1/apikeys/{apikey_id}/budget",
    operationId: "setApiKeyLimits",
    tag,
    summary: "Set the limits of one API key",
    description:
      "At least one limit parameter is required. A limit that is not sent stays as it is; an `expiry_date` that is not sent is cleared.",
    success: "The limits have been set. The answer holds all six as they stand now.",
    requests: {
      limits: {
        summary: "Set limits and an expiry date",
        value: { budget: 1000, daily_limit: 50, expiry_date: "2027-12-31" },
      },
      noLimit: { summary: "Lift one limit, clear the expiry date", value: { budget: 0 } },
    },
    answer: {
      success: true,
      message: "Limits of sk-AbC1234 updated: budget 1000.0000 yuan, expiry date 2027-12-31, daily limit 50.0000 yuan.",
      ...NO_LIMIT_SET,
      budget: 1000,
      expiry_date: "2027-12-31",
      daily_limit: 50,
    },
    errors: {
      400: {
        when:
          "No limit parameter is given; a parameter has the wrong type; a limit is negative; `expiry_date` is not a date " +
          "in the format YYYY-MM-DD.",
        examples: limitFaultExamples(setLimitsInput, { apikey_id: apikeyId }),
      },
      404: noSuchKey,
      409: changedMeanwhile,
    },
  }),

  list: endpoint({
    method: "GET",
    path: "/v1/apikeys",
    operationId: "listApiKeys",
    tag,
    summary: "List API keys",
    description: "A page of the keys of the account, newest first unless `sort` says otherwise.",
    success: "A page of the keys.",
    errors: { 400: wrongInput(listKeysInput, { page: "one" }) },
  }),

  export: endpoint({
    method: "GET",
    path: "/v1/apikeys/export",
    operationId: "exportApiKeys",
    tag,
    summary: "Walk through all API keys",
    description: `All keys that match, newest first unless \`sort\` says otherwise, in chunks of up to ${LARGE_CHUNK}: send \`next\` of an answer as \`after\` of the next call.`,
    success: "The next keys.",
    errors: { 400: wrongInput(exportKeysInput, { status: "on" }) },
  }),

  get: endpoint({
    method: "GET",
    path: "/v1/apikeys/{apikey_id}",
    operationId: "getApiKey",
    tag,
    summary: "Read one API key",
    description: "A key with its limits and its status, revoked ones too. Never its value.",
    success: "The key.",
    errors: { 404: noSuchKey },
  }),

  rename: endpoint({
    method: "POST",
    path: "/v1/apikeys/{apikey_id}/rename",
    operationId: "renameApiKey",
    tag,
    summary: "Rename an API key",
    description: "Changes the label of a key. Its value and its limits stay.",
    success: "The key has its new name.",
    answer: { message: 'API key renamed to "production".' },
    errors: {
      400: wrongInput(renameKeyInput, { apikey_id: apikeyId, name: 5 }),
      404: noSuchActiveKey,
      409: changedMeanwhile,
    },
  }),

  move: endpoint({
    method: "POST",
    path: "/v1/apikeys/{apikey_id}/move",
    operationId: "moveApiKey",
    tag,
    summary: "Move an API key to a group",
    description: "Moves a key to another group, or out of every group. Its limits stay.",
    success: "The key is in the group.",
    answer: { message: 'API key "production" moved to group "Research".' },
    errors: {
      400: {
        when: "A parameter has the wrong type; `group_id` names no existing group; the key is the default key.",
        examples: {
          wrongType: faultExample("Wrong type", moveKeyInput, { apikey_id: apikeyId, group_id: "Research" }),
          noSuchGroup: failureExample("Unknown group", errors.groupNamesNone()),
          defaultKey: failureExample("Default key", errors.defaultKeyHasNoGroup()),
        },
      },
      404: noSuchActiveKey,
      409: changedMeanwhile,
    },
  }),

  disable: endpoint({
    method: "POST",
    path: "/v1/apikeys/{apikey_id}/disable",
    operationId: "disableApiKey",
    tag,
    summary: "Disable an API key",
    description: "The key is refused until it is enabled again. The default key is never disabled.",
    success: "The key is disabled.",
    answer: { message: 'API key "production" disabled.', status: "disabled" },
    errors: {
      400: {
        when: "The key is the default key; `version` has the wrong type.",
        examples: {
          ...wrongVersion.examples,
          defaultKey: failureExample("Default key", errors.defaultKeyNotDisabled()),
        },
      },
      404: noSuchActiveKey,
      409: changedMeanwhile,
    },
  }),

  enable: endpoint({
    method: "POST",
    path: "/v1/apikeys/{apikey_id}/enable",
    operationId: "enableApiKey",
    tag,
    summary: "Enable an API key",
    description: "A disabled key is valid again, as far as its expiry date allows.",
    success: "The key is enabled.",
    errors: { 400: wrongVersion, 404: noSuchActiveKey, 409: changedMeanwhile },
  }),

  revoke: endpoint({
    method: "POST",
    path: "/v1/apikeys/{apikey_id}/revoke",
    operationId: "revokeApiKey",
    tag,
    summary: "Revoke an API key",
    description: "Ends a key for good; this cannot be undone. The default key is never revoked, only rotated.",
    success: "The key is revoked.",
    answer: { message: 'API key "production" revoked.', status: "revoked" },
    errors: {
      400: {
        when: "The key is the default key; `version` has the wrong type.",
        examples: {
          ...wrongVersion.examples,
          defaultKey: failureExample("Default key", errors.defaultKeyNotRevoked()),
        },
      },
      404: noSuchActiveKey,
      409: changedMeanwhile,
    },
  }),

  rotate: endpoint({
    method: "POST",
    path: "/v1/apikeys/{apikey_id}/rotate",
    operationId: "rotateApiKey",
    tag,
    summary: "Rotate an API key",
    description:
      "Gives the key a new value with the same `apikey_id`, returned this once. The old value works on for `grace_seconds`.",
    success: "The key has its new value.",
    errors: {
      400: wrongInput(rotateKeyInput, { apikey_id: apikeyId, grace_seconds: "3600" }),
      403: alsoForbidden("Or it is a value of that key in its time of grace, which rotates no key.", {
        valueInGrace: failureExample("A value in its time of grace", errors.valueInGrace()),
      }),
      404: noSuchActiveKey,
      409: changedMeanwhile,
    },
  }),

  batch: endpoint({
    method: "POST",
    path: "/v1/apikeys/batch",
    operationId: "changeManyApiKeys",
    tag,
    summary: "Disable, enable, revoke or move many API keys",
    description:
      "Does one thing to each of the keys of a list, or to the keys that match a filter, in the order of their ids: the answer then has `next`. What cannot be done is named, with the reason. With `dry_run` nothing changes, and the answer says what would happen.",
    success: "What succeeded, and what did not.",
    requests: {
      listed: { summary: "Some keys", value: { apikey_ids: ["sk-AbC1234", "sk-xYz7890"], action: "disable" } },
      filtered: {
        summary: "All keys that match",
        value: { filter: { status: "expired" }, action: "revoke" },
      },
      previewed: {
        summary: "Preview",
        value: { filter: { look: "never_used" }, action: "move", group_id: null, dry_run: true },
      },
    },
    answer: { success: true, message: "2 API keys disabled.", updated_count: 2, failed_count: 0, failed: [] },
    errors: { 400: wrongOfMany(wrongInput(batchInput, { apikey_ids: apikeyId, action: "disable" })) },
  }),

  setLimitsOfMany: endpoint({
    method: "POST",
    path: "/v1/apikeys/batch_budget",
    operationId: "setLimitsOfManyApiKeys",
    tag,
    summary: "Set the limits of many API keys",
    description:
      "At least one limit parameter is required, also as a relative change. What is not sent stays as it is, `expiry_date` too. With a filter, the answer has `next`. With `dry_run` nothing changes, and the answer says what would happen.",
    success: "What succeeded, and what did not.",
    requests: {
      listed: { summary: "Some keys", value: { apikey_ids: ["sk-AbC1234", "sk-xYz7890"], budget: 1000 } },
      relative: {
        summary: "20 % more for all keys that match",
        value: {
          filter: { look: "over_80" },
          change: { budget: { multiply: 1.2 } },
          request_id: "raise-2026-12",
        },
      },
    },
    answer: {
      success: true,
      message: "Limits updated on 2 API keys.",
      updated_count: 2,
      failed_count: 0,
      failed: [],
    },
    errors: { 400: wrongOfMany(wrongInput(setLimitsOfManyInput, { apikey_ids: apikeyId, budget: 1000 })) },
  }),
};
