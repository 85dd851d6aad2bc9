import { statement } from "@/server/db/statement";

/**
 * The keys that values were made for: `$1` is the SHA-256 of each value. `place` is the place of the hash in the list,
 * from 1 on. No row for a value that is not known.
 */
export const FIND_KEY_OWNERS = statement<{ place: number; account_id: string; key_id: string }>(
  "find-key-owners",
  ["bytea[]"],
  `
  SELECT asked.place::int AS place, secret.account_id, secret.key_id
  FROM unnest($1::bytea[]) WITH ORDINALITY AS asked(hash, place)
  CROSS JOIN LATERAL (SELECT * FROM key_secret one WHERE one.hash = asked.hash LIMIT 1) secret`,
);
