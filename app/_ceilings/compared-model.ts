import type { ModelInForce } from "@/server/ceilings/schema";
import { tokenPricesOf } from "@/server/prices/allowed";

/** A model with its prices in units, in which they are compared, beside those that are shown. */
export function comparedModel({ name, aliases, prices }: ModelInForce) {
  return { name, aliases, prices: tokenPricesOf(prices), shown: prices };
}

export type ComparedModel = ReturnType<typeof comparedModel>;
