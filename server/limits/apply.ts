import { LIMIT_NAMES, type LimitPatch, type Limits } from "./schema";

/**
 * What becomes of the expiry date when a request does not send one (docs/api.md#omitted-parameters): `clear` when limits
 * of one key are set, `keep` when limits of many keys are set.
 */
export type OmittedExpiry = "clear" | "keep";

/** The limits that a request writes. An absent one keeps its value. */
export type LimitChanges = Partial<Limits>;

/** The limits that a patch writes, given the endpoint's rule for an omitted expiry date. */
export function limitChanges(patch: LimitPatch, rule: { omittedExpiry: OmittedExpiry }): LimitChanges {
  const sent = Object.fromEntries(
    LIMIT_NAMES.filter((name) => patch[name] !== undefined).map((name) => [name, patch[name]]),
  );
  return rule.omittedExpiry === "clear" && patch.expiry_date === undefined ? { ...sent, expiry_date: null } : sent;
}

/** The limits of a key that is created with these parameters. A limit that is not sent is unset. */
export function initialLimits(patch: LimitPatch): Limits {
  return {
    budget: patch.budget ?? null,
    expiry_date: patch.expiry_date ?? null,
    daily_limit: patch.daily_limit ?? null,
    monthly_limit: patch.monthly_limit ?? null,
    input_price_limit: patch.input_price_limit ?? null,
    output_price_limit: patch.output_price_limit ?? null,
  };
}
