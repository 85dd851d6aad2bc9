import { countOf, countOfKeys } from "../input/count";
import { failure } from "./failure";

/** Why an event stays as it is, by its action. */
const NOT_REVERTIBLE: Readonly<Record<string, string>> = {
  "key.created": "the creation of a key is not undone; disable or revoke the key",
  "key.revoked": "revoking is final; create another key",
  "key.rotated": "a rotation is final, because old values are not stored",
  "group.created": "the creation of a group is not undone; delete the group",
  "group.deleted": "a deleted group does not come back; create another one",
};

/**
 * Every failure of a procedure (docs/api.md#errors). The dashboard translates each code in `errors` of app/_messages.
 * Failures before a procedure is called are in request-errors.ts.
 */
export const errors = {
  // Who calls
  invalidKey: () => failure("invalid_key", 401, null, "API key missing or invalid"),
  severalCredentials: () => failure("several_credentials", 401, "Authorization", "must be sent once"),
  notDefaultKey: () =>
    failure("not_default_key", 403, null, "only the default API key of the account may perform this operation"),
  valueInGrace: () =>
    failure(
      "value_in_grace",
      403,
      null,
      "a value of the default API key in its time of grace may not rotate keys; use the new value",
    ),
  notSignedIn: () => failure("not_signed_in", 403, null, "only a browser that is signed in may perform this operation"),

  proofRequired: () =>
    failure(
      "proof_required",
      403,
      null,
      "the last sign-in or proof is older than 15 minutes; prove with the password or a passkey who you are",
    ),

  // How much is asked for
  tooManyAtOnce: () =>
    failure("too_many_at_once", 429, null, "too many requests of this account at once; try again in 1 second", {
      seconds: 1,
    }),
  rateExceeded: (seconds: number) =>
    failure("rate_exceeded", 429, null, `too many requests with this key; try again in ${countOf(seconds, "second")}`, {
      seconds,
    }),

  // What is sent
  /** @param faults one sentence that names each parameter at fault. */
  invalidInput: (faults: string) => failure("invalid_input", 400, null, faults),

  // Keys
  noSuchKey: () => failure("key_not_found", 404, "apikey_id", "the API key does not exist"),
  accountNotNamed: () =>
    failure("account_not_named", 400, "account_id", "is required with a gateway's token, which names no account"),
  keyRevoked: () => failure("key_revoked", 404, "apikey_id", "the API key is revoked"),
  keyChangedMeanwhile: () =>
    failure("key_changed_meanwhile", 409, "version", "the API key was changed meanwhile; read it again"),
  defaultKeyHasNoGroup: () =>
    failure("default_key_has_no_group", 400, "apikey_id", "the default API key belongs to no group"),
  defaultKeyNotDisabled: () =>
    failure("default_key_not_disabled", 400, "apikey_id", "the default API key is never disabled; rotate it instead"),
  defaultKeyNotRevoked: () =>
    failure("default_key_not_revoked", 400, "apikey_id", "the default API key is never revoked; rotate it instead"),
  /** The same name of a request for another change. */
  requestOfAnotherChange: () =>
    failure("request_of_another_change", 400, "request_id", "was used before, for another change"),
  keyNotCreated: () =>
    failure(
      "key_not_created",
      500,
      null,
      "creation failed: the API key was not created because of an internal failure",
    ),

  // Undoing
  noSuchEvent: () => failure("event_not_found", 404, "event_id", "the event does not exist"),
  /** @param action the action of an event that stays as it is. */
  notRevertible: (action: string) =>
    failure("event_not_revertible", 400, "event_id", NOT_REVERTIBLE[action] ?? "this event cannot be undone", {
      action,
    }),
  changedSince: () =>
    failure("changed_since", 409, null, "was changed since; send force to undo the change all the same"),
  asBefore: () => failure("as_before", 409, null, "is already as it was before the change"),
  undoneTogether: () =>
    failure("undone_together", 409, null, "stays too, because the prices of a change are undone all or none"),
  formerGroupGone: () => failure("former_group_gone", 409, null, "the group that it was in does not exist any more"),

  // Groups
  noSuchGroup: () => failure("group_not_found", 404, "group_id", "the group does not exist"),
  /** The body names the new group of a key, and the group does not exist. */
  groupNamesNone: () => failure("group_names_none", 400, "group_id", "names no existing group"),
  groupChangedMeanwhile: () =>
    failure("group_changed_meanwhile", 409, "before", "the group was changed meanwhile; read it again"),
  groupNameTaken: () => failure("group_name_taken", 400, "name", "a group of this name already exists"),
  noKeyInGroup: () => failure("no_key_in_group", 400, "group_id", "no matching key found in the group"),
  groupHasKeys: (count: number) =>
    failure("group_has_keys", 409, "ungroup_keys", `must be true, because the group has ${countOfKeys(count)}`, {
      count,
    }),

  // Saved filters
  noSuchSavedFilter: () => failure("saved_filter_not_found", 404, "filter_id", "the saved filter does not exist"),
  savedFilterNameTaken: () =>
    failure("saved_filter_name_taken", 400, "name", "a saved filter of this name already exists"),
  tooManySavedFilters: (most: number) =>
    failure(
      "too_many_saved_filters",
      409,
      null,
      `an account may have at most ${most} saved filters; delete one first`,
      {
        most,
      },
    ),

  // The account
  unknownTimeZone: () =>
    failure(
      "unknown_time_zone",
      400,
      "time_zone",
      "must be the time zone of a place that the database knows, for example Europe/Berlin",
    ),
  noSuchSession: () => failure("session_not_found", 404, "session_id", "the session does not exist"),
  notLinked: () => failure("not_linked", 404, null, "single sign-on is not linked"),
  lastSignInMethod: () =>
    failure("last_sign_in_method", 409, null, "this is the only way to sign in to the account; add another one first"),
  noSuchPasskey: () => failure("passkey_not_found", 404, "passkey_id", "the passkey does not exist"),

  // Prices of models
  noSuchPrice: (parameter = "model_id") => failure("price_not_found", 404, parameter, "the price does not exist"),
  priceChangedMeanwhile: (parameter: string) =>
    failure("price_changed_meanwhile", 409, parameter, "the price was changed meanwhile; read it again"),
  priceOfOperator: () =>
    failure(
      "price_of_operator",
      403,
      "model_id",
      "is a price of the operator; set a price of the account of the same name to override it",
    ),
  tooManyPrices: (most: number) =>
    failure("too_many_prices", 409, "models", `a catalogue may have at most ${most} prices; delete some first`, {
      most,
    }),

  // Authorizations
  noSuchAuthorization: () =>
    failure("authorization_not_found", 404, "authorization_id", "the authorization does not exist"),
  /** @param state what the authorization is instead: "voided", "captured", "captured with another amount". */
  authorizationSettled: (state: string) =>
    failure("authorization_settled", 409, "authorization_id", `the authorization is ${state}`, { state }),
  /** @param state what the authorization of the request has become: "captured", "voided" or "expired". */
  requestIdUsed: (state: string) =>
    failure("request_id_used", 409, "request_id", `was used before, and its authorization is ${state}`, { state }),
  requestIdReused: () =>
    failure("request_id_reused", 409, "request_id", "was used before, for another amount, model or number of tokens"),
  /** Tokens have no price where the authorization was asked for by an amount. */
  authorizedByAmount: () =>
    failure("authorized_by_amount", 409, "usage", "the authorization was asked for by an amount; capture an amount"),
  /** @param parameter the one that is missing. */
  maxOutputTokensUnknown: (parameter: string) =>
    failure(
      "max_output_tokens_unknown",
      400,
      parameter,
      "is required: the catalogue does not say how many tokens the model answers with",
    ),
  /** @param parameter what the cost was computed from. */
  costTooLarge: (parameter: string) =>
    failure("cost_too_large", 400, parameter, "costs more than 1e15 yuan, the largest amount"),
  /**
   * @param parameter what was captured.
   * @param most yuan, with all decimals: whoever captures what the sentence says is not refused again, but for the last digit of
   * amounts of millions, which a JSON number rounds.
   */
  captureTooLarge: (parameter: "amount" | "usage", most: string, factor: number) =>
    failure("capture_too_large", 409, parameter, `must be at most ${most} yuan, ${factor} times what was held`, {
      most,
      factor,
    }),
  /**
   * A call that would not be authorized. For a proxy that reads only the status.
   * @param code the first obstacle, which goes into the header `Allowance-Code`.
   * @param refusal its numbers, which go into the body.
   * @param seconds after how many it is over by itself; undefined: never.
   */
  callRefused: (status: 401 | 403, code: string, sentence: string, refusal: object | null, seconds?: number) => ({
    ...failure("call_refused", status, null, sentence, { refusal: code, ...(seconds !== undefined && { seconds }) }),
    more: { code, refusal },
  }),

  // The service
  databaseAway: () =>
    failure("database_away", 503, null, "the database cannot be reached or is too busy; try again later"),
  internalError: () => failure("internal_error", 500, null, "internal error"),
};
