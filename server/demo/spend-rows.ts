import type { Refusal } from "../keys/schema";
import type { BookedDay, ModelDayRow } from "./booked-day";
import type { PricedCall } from "./calls";

/** The counters of a key, as columns of its row. Amounts are decimal numbers, in yuan. */
export interface Counters {
  spent: string;
  held: string;
  day: string | null;
  day_spent: string;
  day_held: string;
  month: string | null;
  month_spent: string;
  month_held: string;
  open_holds: number;
  held_until: string | null;
  last_used_at: string | null;
}

/** A row of `authorization`, without the account. */
export interface AuthorizationRow {
  id: string;
  key_id: string;
  request_id: string | null;
  amount: string;
  state: "held" | "captured" | "voided";
  day: string;
  month: string;
  created_at: string;
  expires_at: string;
  settled_at: string | null;
  captured: string | null;
  overrun: boolean;
  late: boolean;
  gateway: string | null;
  /** null: by an amount. */
  quote: PricedCall["quote"] | null;
  usage: PricedCall["usage"] | null;
}

/** Rows of the tables of spend, by their columns, without the account. */
export interface SpendRows {
  authorizations: AuthorizationRow[];
  ledger: {
    authorization_id: string;
    key_id: string;
    recorded_on: string;
    recorded_at: string;
    day: string;
    amount: string;
    overrun: boolean;
    late: boolean;
    model: string | null;
    input_tokens: number | null;
    cached_input_tokens: number | null;
    output_tokens: number | null;
  }[];
  keyDays: BookedDay["row"][];
  modelDays: ModelDayRow[];
  refusals: { key_id: string; day: string; code: Refusal; count: number }[];
  singleRefusals: {
    id: string;
    key_id: string;
    recorded_on: string;
    code: Refusal;
    amount: string;
    request_id: string | null;
    gateway: string | null;
    model: string | null;
    price: string | null;
    ceiling: string | null;
  }[];
}
