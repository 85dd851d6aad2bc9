import type { EventChange, PriceFields } from "../prices/schema";

/** A change of a price as a person reads it: input and output in yuan per million tokens, and which fields it changes. */
export function priceRow({ change, name, valid_from, before, after }: EventChange) {
  return {
    change,
    name,
    valid_from,
    yuan_before: yuanOf(before),
    yuan_after: yuanOf(after),
    fields: before && after && differing(before, after),
  };
}

function yuanOf(fields: PriceFields | null): string | null {
  return fields && `${fields.prices.input} / ${fields.prices.output}`;
}

/** Those in yuan follow from the others. */
function differing(before: PriceFields, after: PriceFields): string[] {
  return Object.entries(after)
    .filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof PriceFields]))
    .map(([field]) => field)
    .filter((field) => field !== "prices");
}
