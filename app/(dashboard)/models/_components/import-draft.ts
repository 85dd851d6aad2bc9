import type { inferRouterOutputs } from "@trpc/server";
import { amountOf } from "@/app/_limits/draft";
import { type FaultCode, faultsOf } from "@/server/input/fault";
import { FROM_EVER, importModelsInput } from "@/server/prices/schema";
import type { AppRouter } from "@/server/router";
import { YUAN } from "./price-draft";

export type ImportFormat = (typeof importModelsInput.shape.format.options)[number];

/** What became of an import, or would. */
export type ImportAnswer = inferRouterOutputs<AppRouter>["models"]["import"];

/** An import as it is typed. */
export interface ImportDraft {
  /** The text of a file, or what was pasted. */
  content: string;
  /** Empty: what is usual for the format. */
  currency: string;
  rate: string;
  /** `YYYY-MM-DD`; empty: from ever on. */
  valid_from: string;
  isReplacing: boolean;
}

export type ImportField = "content" | "currency" | "rate" | "valid_from";

/** What can be wrong with a field. Each has its sentence in the messages. */
export type ImportFault =
  | "noContent"
  | "tooLong"
  | "empty"
  | "notNumber"
  | "notPositive"
  | "notCurrency"
  | "notDate"
  | "refused";

const FAULTS: Partial<Record<FaultCode, ImportFault>> = {
  too_long: "tooLong",
  not_positive: "notPositive",
  rounds_to_zero: "notPositive",
  not_currency: "notCurrency",
  not_date: "notDate",
  not_calendar_day: "notDate",
  year_too_early: "notDate",
};

export const EMPTY_IMPORT: ImportDraft = { content: "", currency: "", rate: "", valid_from: "", isReplacing: false };

/** The format of a text: JSON begins with a brace. */
export function formatOf(content: string): ImportFormat {
  return content.trimStart().startsWith("{") ? "litellm" : "csv";
}

/** The currency of prices that name none themselves. */
export function currencyOf({ content, currency }: Pick<ImportDraft, "content" | "currency">): string {
  const usual = formatOf(content) === "litellm" ? "USD" : YUAN;
  return currency.trim() === "" ? usual : currency.trim().toUpperCase();
}

/** The import in the parameters of the API. */
export function importOf(draft: ImportDraft) {
  const { content, valid_from, isReplacing } = draft;
  const currency = currencyOf(draft);
  const rate = currency === YUAN ? undefined : amountOf(draft.rate);
  return {
    format: formatOf(content),
    content,
    currency,
    ...(rate !== undefined && { rate }),
    valid_from: valid_from === "" ? FROM_EVER : valid_from,
    replace: isReplacing,
  };
}

/** What is wrong with each field, by the server's own rules. The result is empty if nothing is wrong. */
export function faultsOfImport(draft: ImportDraft): Partial<Record<ImportField, ImportFault>> {
  const faults: Partial<Record<ImportField, ImportFault>> = {};
  for (const { parameter, code } of faultsOf(importModelsInput.safeParse(importOf(draft)).error?.issues ?? [])) {
    faults[parameter as ImportField] ??= FAULTS[code] ?? "refused";
  }
  if (draft.content.trim() === "") faults.content = "noContent";
  if (currencyOf(draft) !== YUAN && amountOf(draft.rate) === undefined) {
    // Lines of CSV may have a rate each.
    if (draft.rate.trim() !== "") faults.rate = "notNumber";
    else if (formatOf(draft.content) === "litellm") faults.rate = "empty";
  }
  return faults;
}
