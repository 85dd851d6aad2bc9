import { createLoader, type inferParserType } from "nuqs/server";
import { parseAsPage, parseAsParameter } from "@/app/_address/parsers";
import { addDays } from "@/components/day";
import { listRefusedKeysInput, REFUSAL_DAYS } from "@/server/overview/schema";

/** The part of the address that describes the list of refused keys. */
export const refusedAddress = {
  code: parseAsParameter(listRefusedKeysInput.shape.code),
  page: parseAsPage.withDefault(1),
};

export const loadRefusedAddress = createLoader(refusedAddress);

/** The input of the procedure. @param today `YYYY-MM-DD`, in the zone of the account. */
export function refusedInput({ code, page }: inferParserType<typeof refusedAddress>, today: string) {
  return { from: addDays(today, 1 - REFUSAL_DAYS), to: today, ...(code && { code }), page };
}
