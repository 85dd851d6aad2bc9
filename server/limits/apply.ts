import { LIMIT_NAMES, type LimitName, type LimitPatch, type Limits } from "./schema";

/**
 * What becomes of the expiry date when a request does not carry one. Limits of one key: `clear`. Limits of many keys:
 * `keep`. See docs/api.md#omitted-parameters.
 */
export type OmittedExpiry = "clear" | "keep";

/** The limits that a request writes. An absent one keeps its value. */
export type LimitChanges = Partial<Limits>;

/** Limits that a request carries, `null` among them where the endpoint takes it. */
type SentLimits = { [Name in LimitName]?: Limits[Name] | undefined };

/** The limits that a patch writes, given the endpoint's rule for an omitted expiry date. */
export function limitChanges(patch: SentLimits, rule: { omittedExpiry: OmittedExpiry }): LimitChanges {
  const sent = Object.fromEntries(
    LIMIT_NAMES.filter((name) => patch[name] !== undefined).map((name) => [name, patch[name]]),
  );
  return rule.omittedExpiry === "clear" && patch.expiry_date === undefined ? { ...sent, expiry_date: null } : sent;
}

/** All limits, taken from a request or from a key. A limit that is not there is unset. */
export function limitsOf(values: LimitPatch | Limits): Limits {
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, values[name] ?? null])) as Limits;
}
