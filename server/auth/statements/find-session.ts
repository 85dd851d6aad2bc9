import { statement } from "@/server/db/statement";

/**
 * The session with the token whose SHA-256 is `$1`, with its account. No row when it is over, or the account is
 * disabled.
 */
export const FIND_SESSION = statement<{ id: string; account_id: string; email: string; updated_at: Date }>(
  "find-session",
  ["text"],
  `
  SELECT session.id, session.account_id, account.email, session.updated_at
  FROM (SELECT * FROM session one WHERE one.token = $1 LIMIT 1) session
  CROSS JOIN LATERAL (SELECT * FROM account one WHERE one.id = session.account_id LIMIT 1) account
  WHERE session.expires_at > now() AND account.disabled_at IS NULL`,
);
