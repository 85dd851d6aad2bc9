import type { Pool } from "pg";
import type { AccountId } from "@/server/auth/account-id";
import { run, statement } from "@/server/db/statement";
import type { AuthorizationState } from "../schema";

/** What an authorization has become. */
export interface SettledAuthorization {
  id: string;
  state: AuthorizationState;
  /** Yuan. */
  captured: number | null;
  /** More was captured than was held. */
  overrun: boolean;
  /** It was captured after the hold had ended by itself. */
  late: boolean;
}

interface Row extends SettledAuthorization {
  key_id: string;
}

/** An authorization as it is; undefined when the account has none of that id. */
export async function findAuthorization(
  pool: Pool,
  accountId: AccountId,
  id: string,
): Promise<(SettledAuthorization & { keyId: string }) | undefined> {
  const [row] = await run(pool, FIND_AUTHORIZATION, [accountId, id]);
  if (!row) return undefined;
  const { key_id: keyId, ...authorization } = row;
  return { ...authorization, keyId };
}

export const FIND_AUTHORIZATION = statement<Row>(
  "find-authorization",
  ["text", "text"],
  `
  SELECT id, key_id, state, captured::float8 AS captured, overrun, late
  FROM "authorization"
  WHERE account_id = $1 AND id = $2`,
);
