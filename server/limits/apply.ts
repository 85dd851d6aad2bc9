import type { RelativeChange } from "./relative";
import { AMOUNT_NAMES, type AmountName, LIMIT_NAMES, type LimitName, type LimitPatch, type Limits } from "./schema";

/**
 * What becomes of the expiry date when a request does not carry one. Limits of one key: `clear`. Limits of many keys:
 * `keep`. See docs/api.md#omitted-parameters.
 */
export type OmittedExpiry = "clear" | "keep";

/** The limits that a request writes. An absent one keeps its value. */
export type LimitChanges = { [Name in LimitName]?: Limits[Name] | (Name extends AmountName ? RelativeChange : never) };

/** Limits that a request carries, `null` among them where the endpoint takes it. */
type SentLimits = { [Name in LimitName]?: Limits[Name] | undefined };

/**
 * The limits that a patch writes, given the endpoint's rule for an omitted expiry date.
 * @param patch.change amounts that change from what they are on each key.
 */
export function limitChanges(
  {
    change = {},
    ...patch
  }: SentLimits & { change?: Partial<Record<AmountName, RelativeChange | undefined>> | undefined },
  rule: { omittedExpiry: OmittedExpiry },
): LimitChanges {
  const relative = AMOUNT_NAMES.filter((name) => change[name] !== undefined).map((name) => [name, change[name]]);
  const sent: LimitChanges = { ...sentLimits(patch), ...Object.fromEntries(relative) };
  return rule.omittedExpiry === "clear" && patch.expiry_date === undefined ? { ...sent, expiry_date: null } : sent;
}

/** The limits of a request that are there. */
export function sentLimits(values: SentLimits): Partial<Limits> {
  return Object.fromEntries(
    LIMIT_NAMES.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]),
  );
}

/** All limits, taken from a request or from a key. A limit that is not there is unset. */
export function limitsOf(values: LimitPatch | Limits): Limits {
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, values[name] ?? null])) as Limits;
}
