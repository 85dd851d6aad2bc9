import { LIMIT_NAMES, type LimitPatch, type Limits } from "./schema";

/** What becomes of the expiry date when a request does not carry one: `clear` in section 4.2, `keep` in 4.5. */
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

/** The limits of a key created with these parameters: what was not sent is unset (section 4.1). */
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
