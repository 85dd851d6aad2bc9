import { statement } from "@/server/db/statement";

/** Whether a row of `gateway_token`, `token`, is good now. Its last day ends at midnight in UTC. */
export const isTokenValid = `(
    token.revoked_at IS NULL
    AND (token.expires_on IS NULL OR (now() AT TIME ZONE 'UTC')::date <= token.expires_on)
  )`;

/** A use is written once a minute. */
const isUseOld = (token: string) =>
  `(${token}.last_used_at IS NULL OR ${token}.last_used_at < now() - interval '1 minute')`;

/** A gateway with a valid token. */
export interface GatewayRow {
  place: number;
  name: string;
  account_ids: string[] | null;
  must_note_use: boolean;
}

/** `FROM` and `WHERE`: the tokens that are valid. `$1` is the SHA-256 of each. */
export const validTokens = `
  FROM unnest($1::bytea[]) WITH ORDINALITY AS asked(hash, place)
  CROSS JOIN LATERAL (SELECT * FROM gateway_token one WHERE one.hash = asked.hash LIMIT 1) token
  WHERE ${isTokenValid}`;

/**
 * The gateways of tokens: `$1` is the SHA-256 of each token. `place` is the place of the hash in the list, from 1 on. No
 * row for a token that is unknown, revoked or expired.
 */
export const FIND_GATEWAYS = statement<GatewayRow>(
  "find-gateways",
  ["bytea[]"],
  `
  SELECT asked.place::int AS place, token.name, token.account_ids, ${isUseOld("token")} AS must_note_use${validTokens}`,
);

/** Writes that the token with the hash `$1` is used now. */
export const NOTE_GATEWAY_USE = statement<Record<string, never>>(
  "note-gateway-use",
  ["bytea"],
  `
  UPDATE gateway_token used SET last_used_at = now()
  WHERE hash = $1 AND ${isUseOld("used")}`,
);
