import { statement } from "@/server/db/statement";

/** The session of a token, `$1`, with its account. No row when it is over. */
export const FIND_SESSION = statement<{ id: string; account_id: string; email: string; updated_at: Date }>(
  "find-session",
  ["text"],
  `
  SELECT session.id, session.account_id, account.email, session.updated_at
  FROM session
  JOIN account ON account.id = session.account_id
  WHERE session.token = $1 AND session.expires_at > now()`,
);
