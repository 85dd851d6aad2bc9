import { Prisma } from "@/prisma/generated/client";
import { decimalOf, decimalOrNull, unitsOfDecimal, unitsOrNull } from "../limits/units";
import type { Tariff } from "./tariff";

/** A row of either catalogue, as text where a number would not be exact. */
export interface TariffRow {
  id: string;
  name: string;
  aliases: string[];
  currency: string;
  rate: string;
  input_price: string;
  output_price: string;
  cached_input_price: string | null;
  max_output_tokens: number | null;
  valid_from: string;
}

/** A price with its id. */
export interface KeptTariff extends Tariff {
  id: string;
}

/** The columns of a price, for `tariffOfRow`. */
export const tariffColumns = Prisma.raw(`id, name, aliases, currency, rate::text AS rate,
  input_price::text AS input_price, output_price::text AS output_price, cached_input_price::text AS cached_input_price,
  max_output_tokens, valid_from::text AS valid_from`);

/** The amounts of a price from its row: exact, in its currency. */
export function ratesOfRow(
  row: Pick<TariffRow, "rate" | "input_price" | "output_price" | "cached_input_price">,
): Pick<Tariff, "rate" | "inputPrice" | "outputPrice" | "cachedInputPrice"> {
  return {
    rate: unitsOfDecimal(row.rate),
    inputPrice: unitsOfDecimal(row.input_price),
    outputPrice: unitsOfDecimal(row.output_price),
    cachedInputPrice: unitsOrNull(row.cached_input_price),
  };
}

/** A price from its row, which has `tariffColumns`. */
export function tariffOfRow(row: TariffRow): KeptTariff {
  return {
    id: row.id,
    name: row.name,
    aliases: row.aliases,
    currency: row.currency,
    ...ratesOfRow(row),
    maxOutputTokens: row.max_output_tokens,
    validFrom: row.valid_from,
  };
}

/** The row of a price, for `json_to_recordset`. */
export function rowOfTariff(tariff: Tariff, id: string): TariffRow {
  return {
    id,
    name: tariff.name,
    aliases: [...tariff.aliases],
    currency: tariff.currency,
    rate: decimalOf(tariff.rate),
    input_price: decimalOf(tariff.inputPrice),
    output_price: decimalOf(tariff.outputPrice),
    cached_input_price: decimalOrNull(tariff.cachedInputPrice),
    max_output_tokens: tariff.maxOutputTokens,
    valid_from: tariff.validFrom,
  };
}
