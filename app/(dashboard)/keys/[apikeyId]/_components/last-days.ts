import { addDays } from "@/components/day";
import { useFormats } from "@/components/use-formats";

const LAST_DAYS = 30;

/** The last 30 days, including today. @param today `YYYY-MM-DD`, in the zone of the account. */
export function lastDays(today: string): { from: string; to: string } {
  return { from: addDays(today, 1 - LAST_DAYS), to: today };
}

/** The same, with the today of the account. */
export function useLastDays(): { from: string; to: string } {
  return lastDays(useFormats().today());
}
