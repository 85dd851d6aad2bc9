import { endpoint, failureExample, faultExample, type Tag, wrongInput } from "../endpoint";
import { errors } from "../errors/catalogue";
import { listActivityInput } from "./activity/schema";
import { checkHeaders, checkInput, refusedCheck } from "./check/schema";
import { NO_DETAILS } from "./refusal";
import { authorizeInput, captureInput, listAuthorizationsInput } from "./schema";
import { refusalSentence } from "./sentences";

const tag: Tag = {
  name: "Authorizations",
  description: "Hold an amount before a call, and count what it cost after.",
};

const apikey = "sk-AbC1234Zk3vWq8sT1nRb5yHd7mPx9cLf2gJe4uO0oZJvh";
const apikeyHash = "443f24eb1ef39f1ff204d6b1b8c4cf589ecd27ad7c325b9d2e4c1128f5459e7e";
const modelCall = { model: "example-large", input_tokens: 1_200, max_output_tokens: 800 };
const usage = { input_tokens: 1_150, cached_input_tokens: 1_000, output_tokens: 640 };
const prices = { input: 18, output: 72, cached_input: 9 };
const authorizationId = "6920a1f0c3d4e5f60718293a6920a1f0c3d4e5f60718293b";

const overBudgetDetails = { ...NO_DETAILS, limit: 100, available: 1 };
const overBudget = refusalSentence("budget", 2.5, { refusal: overBudgetDetails });
const noSuchKeySentence = refusalSentence("key_not_found", 0, { refusal: NO_DETAILS });
const noSuchKey = errors.callRefused(401, "key_not_found", noSuchKeySentence, NO_DETAILS);
const noSuchAuthorization = {
  when: "The authorization does not exist.",
  examples: { noSuchAuthorization: failureExample("Unknown authorization", errors.noSuchAuthorization()) },
};

/** What is wrong with a call that is authorized or checked, besides its parameters one by one. */
const wrongCall =
  "not exactly one of `apikey`, `apikey_hash` and `apikey_id` is sent; a gateway sends an `apikey_id` without `account_id`; the catalogue does not have `max_output_tokens` of the model; the call would cost more than 1e15 yuan";
const wrongCallExamples = {
  noAccount: failureExample("No account", errors.accountNotNamed()),
  maxOutputTokensUnknown: failureExample("No max_output_tokens", errors.maxOutputTokensUnknown("max_output_tokens")),
};

/** The endpoints of authorizations. */
export const authorizationEndpoints = {
  authorize: endpoint({
    method: "POST",
    path: "/v1/authorizations",
    operationId: "authorize",
    tag,
    summary: "Authorize spend",
    description:
      "Holds an amount on a key, before the call that will cost it. The amount is sent, or comes from the model, its tokens and the catalogue. A refusal is an answer with `allowed: false`. The same `request_id` again gives the same authorization while that is held, and 409 afterwards. Takes the default key, for the keys of its account, or a gateway's token, for those of the accounts that it serves.",
    success: "The call may be made, or may not.",
    requests: {
      byModel: {
        summary: "By a model and its tokens",
        value: { apikey, ...modelCall, request_id: "req-7f3a", ttl_seconds: 600 },
      },
      byAmount: {
        summary: "By an amount",
        value: { apikey, amount: 2.5, input_price: 8, request_id: "req-7f3a", ttl_seconds: 600 },
      },
      byHash: {
        summary: "A key by the hash of its value",
        value: { apikey_hash: apikeyHash, ...modelCall, ttl_seconds: 600 },
      },
      byId: {
        summary: "A key by its id, with a gateway's token",
        value: { apikey_id: "sk-AbC1234", account_id: "6920a1f0c3d4e5f60718293a", amount: 2.5, ttl_seconds: 600 },
      },
    },
    answer: {
      success: true,
      allowed: true,
      code: null,
      message: "Held 0.0792 yuan.",
      authorization_id: authorizationId,
      apikey_id: "sk-AbC1234",
      amount: 0.0792,
      model: "example-large",
      prices,
      expires_at: 1795219200,
      available: { budget: 99.9208, daily: 47.5, monthly: null },
      refusal: null,
    },
    errors: {
      400: {
        when: `A parameter is missing, or has the wrong type or value; not exactly one of \`amount\` and \`model\` is sent; ${wrongCall}.`,
        examples: {
          neither: faultExample("No amount and no model", authorizeInput, { apikey }),
          wrongType: faultExample("Wrong type", authorizeInput, { apikey, amount: "2.5" }),
          ...wrongCallExamples,
        },
      },
      409: {
        when: "`request_id` was used before on this key: its authorization is captured, voided or expired, or holds another amount, or one for another model or other tokens.",
        examples: {
          requestIdUsed: failureExample("Captured", errors.requestIdUsed("captured")),
          requestIdReused: failureExample("Another amount", errors.requestIdReused()),
        },
      },
    },
  }),

  capture: endpoint({
    method: "POST",
    path: "/v1/authorizations/{authorization_id}/capture",
    operationId: "captureAuthorization",
    tag,
    summary: "Capture an authorization",
    description:
      "Counts what the call cost, and ends the hold. The same capture again counts once. More than was held is recorded whole, as an overrun; after the hold has ended by itself it is recorded as late.",
    success: "The amount is counted.",
    requests: {
      byUsage: { summary: "By the tokens of the call", value: { usage } },
      byAmount: { summary: "By an amount", value: { amount: 2.1 } },
    },
    answer: {
      success: true,
      message: "Captured 0.05778 yuan.",
      authorization_id: authorizationId,
      state: "captured",
      amount: 0.05778,
      usage,
      prices,
      overrun: false,
      late: false,
    },
    errors: {
      400: {
        when: "A parameter has the wrong type or value; not exactly one of `amount` and `usage` is sent; `usage` costs more than 1e15 yuan.",
        examples: {
          neither: faultExample("No amount and no usage", captureInput, { authorization_id: authorizationId }),
          wrongType: faultExample("Wrong type", captureInput, { authorization_id: authorizationId, amount: "2.1" }),
        },
      },
      404: noSuchAuthorization,
      409: {
        when: "The authorization was voided, or captured with another amount or usage; it was asked for by an amount, and `usage` is sent; the amount is above what the operator allows for the hold.",
        examples: {
          voided: failureExample("Voided", errors.authorizationSettled("voided")),
          byAmount: failureExample("Authorized by an amount", errors.authorizedByAmount()),
          captureTooLarge: failureExample("Far more than was held", errors.captureTooLarge("amount", "25.0000", 10)),
        },
      },
    },
  }),

  check: endpoint({
    method: "POST",
    path: "/v1/authorizations/check",
    operationId: "checkAuthorization",
    tag,
    summary: "Check whether a call would be authorized",
    description:
      "Answers every limit with its numbers, the first obstacle, and the smallest change that removes it. Holds nothing. `scope` asks instead whether the key is good, or whether anything is left.",
    success: "What would be answered now.",
    requests: {
      byValue: { summary: "By the value of the key", value: { apikey, amount: 2.5, input_price: 8 } },
      byId: { summary: "By its id, with the default key", value: { apikey_id: "sk-AbC1234", amount: 2.5 } },
      byModel: { summary: "A call by model", value: { apikey, ...modelCall } },
      byHash: {
        summary: "By the hash of its value: is anything left?",
        value: { apikey_hash: apikeyHash, scope: "left" },
      },
      isGood: {
        summary: "With a gateway's token: is the key good?",
        value: { apikey_id: "sk-AbC1234", account_id: "6920a1f0c3d4e5f60718293a", scope: "key" },
      },
    },
    answer: {
      success: true,
      allowed: false,
      code: "budget",
      message: overBudget,
      apikey_id: "sk-AbC1234",
      limits: [
        { code: "budget", passes: false, limit: 100, spent: 95, held: 4, available: 1, needed: 101.5 },
        { code: "daily_limit", passes: true, limit: null, spent: 10, held: 4, available: null, needed: 16.5 },
      ],
      refusal: overBudgetDetails,
      change: "Raise the total budget from 100.0000 to 101.5000 yuan.",
    },
    errors: {
      400: {
        when: `A parameter is missing, or has the wrong type or value; not exactly one of \`amount\` and \`model\` is sent with the scope \`call\`, or one of them, or a part of them, with another; ${wrongCall}.`,
        examples: {
          neither: faultExample("No key, or two", checkInput, { amount: 2.5 }),
          wrongType: faultExample("Wrong type", checkInput, { apikey, amount: "2.5" }),
          notJudged: faultExample("An amount that is not judged", checkInput, { apikey, amount: 2.5, scope: "left" }),
          ...wrongCallExamples,
        },
      },
    },
  }),

  checkByHeaders: endpoint({
    method: "GET",
    path: "/v1/authorizations/check",
    operationId: "checkAuthorizationByHeaders",
    tag,
    summary: "Check by headers whether a call would be authorized",
    description:
      "For a proxy that can send headers alone and knows an answer by its status, as nginx does with `auth_request`. Holds nothing. The gateway's own token or default key is in `Authorization`, the key of its caller in `Allowance-Key`. The body of a refusal has `code` and `refusal` too, as the answer to a check in a body.",
    headers: checkHeaders,
    requests: {
      byAmount: {
        summary: "By an amount",
        value: { "Allowance-Key": apikey, "Allowance-Amount": 2.5, "Allowance-Input-Price": 8 },
      },
    },
    status: 204,
    success: "The call would be authorized now.",
    errors: {
      400: {
        when: "Not exactly one of `Allowance-Amount` and `Allowance-Model` is sent where the scope needs one; both `Allowance-Key` and `Allowance-Key-Hash` are sent; a header has the wrong type or value, or is not judged with the scope; the catalogue does not have `Allowance-Max-Output-Tokens` of the model; the call would cost more than 1e15 yuan.",
        examples: {
          noAmount: faultExample("No amount and no model", checkHeaders, {}),
          negative: faultExample("Negative value", checkHeaders, { "Allowance-Amount": -1 }),
        },
      },
      401: {
        when: "The caller's key is missing, does not exist, is disabled or has expired, or its account is disabled; or the gateway's own is not valid.",
        examples: {
          noSuchKey: failureExample("Caller's key", noSuchKey),
          invalidKey: failureExample("Gateway's key", errors.invalidKey()),
        },
        headers: ["WWW-Authenticate", "Allowance-Code"],
        body: refusedCheck,
      },
      403: {
        when: "A limit of the caller's key does not allow the call, or the model has no price; or the gateway's own key is not the default key.",
        examples: {
          overBudget: failureExample(
            "Over the limit",
            errors.callRefused(403, "budget", overBudget, overBudgetDetails),
          ),
          otherKey: failureExample("Gateway's key", errors.notDefaultKey()),
        },
        headers: ["Allowance-Code", "Retry-After"],
        body: refusedCheck,
      },
    },
  }),

  list: endpoint({
    method: "GET",
    path: "/v1/apikeys/{apikey_id}/authorizations",
    operationId: "listOpenAuthorizations",
    tag,
    summary: "List open authorizations",
    description: "What is held on a key at this moment, newest first.",
    success: "A page of open authorizations.",
    errors: { 400: wrongInput(listAuthorizationsInput, { apikey_id: "sk-AbC1234", page: 0 }) },
  }),

  activity: endpoint({
    method: "GET",
    path: "/v1/apikeys/{apikey_id}/activity",
    operationId: "listApiKeyActivity",
    tag,
    summary: "List the activity of an API key",
    description:
      "The single calls of the last days that are over, newest first: captured, refused, voided or expired. `next` leads to the ones before.",
    success: "The calls.",
    errors: { 400: wrongInput(listActivityInput, { apikey_id: "sk-AbC1234", kind: "open" }) },
  }),

  void: endpoint({
    method: "POST",
    path: "/v1/authorizations/{authorization_id}/void",
    operationId: "voidAuthorization",
    tag,
    summary: "Void an authorization",
    description:
      "Ends the hold: the call was not made. Voiding again, or after the hold has ended by itself, is no error.",
    success: "Nothing is held any more.",
    answer: { message: "The authorization is voided; nothing is held.", state: "voided", amount: null },
    errors: {
      404: noSuchAuthorization,
      409: {
        when: "The authorization was captured.",
        examples: { captured: failureExample("Captured", errors.authorizationSettled("captured")) },
      },
    },
  }),
};
