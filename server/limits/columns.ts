import type { Prisma } from "../../prisma/generated/client";
import type { LimitChanges } from "./apply";
import { LIMIT_NAMES, type LimitName, type Limits } from "./schema";

/** The columns of the six limits, for `select`. */
export const limitColumns = {
  budget: true,
  expiryDate: true,
  dailyLimit: true,
  monthlyLimit: true,
  inputPriceLimit: true,
  outputPriceLimit: true,
} satisfies Prisma.ApiKeySelect;

type LimitRow = Prisma.ApiKeyGetPayload<{ select: typeof limitColumns }>;

const COLUMN_OF = {
  budget: "budget",
  expiry_date: "expiryDate",
  daily_limit: "dailyLimit",
  monthly_limit: "monthlyLimit",
  input_price_limit: "inputPriceLimit",
  output_price_limit: "outputPriceLimit",
} as const satisfies Record<LimitName, keyof LimitRow>;

/** Limits as the columns of a key; an absent one stays absent. */
export function toLimitColumns(changes: LimitChanges): Prisma.ApiKeyUpdateManyMutationInput {
  const sent = LIMIT_NAMES.filter((name) => changes[name] !== undefined);
  return Object.fromEntries(
    sent.map((name) => {
      const value = changes[name];
      if (typeof value === "string") return [COLUMN_OF[name], new Date(value)];
      // As text: Prisma keeps only 16 digits of a number, and an amount may have 17.
      return [COLUMN_OF[name], typeof value === "number" ? String(value) : value];
    }),
  );
}

/** The columns of a key as plain JSON limits, exactly as they were accepted. */
export function fromLimitColumns(row: LimitRow): Limits {
  const number = (amount: Prisma.Decimal | null) => amount?.toNumber() ?? null;
  return {
    budget: number(row.budget),
    expiry_date: row.expiryDate?.toISOString().slice(0, 10) ?? null,
    daily_limit: number(row.dailyLimit),
    monthly_limit: number(row.monthlyLimit),
    input_price_limit: number(row.inputPriceLimit),
    output_price_limit: number(row.outputPriceLimit),
  };
}
