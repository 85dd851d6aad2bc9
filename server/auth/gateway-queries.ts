import { Prisma } from "@/prisma/generated/client";
import type { Database } from "../db/client";
import { isUniqueViolation } from "../db/unique-violation";
import { hashGatewayToken, makeGatewayToken } from "./gateway";
import { isTokenValid } from "./statements/find-gateways";

/** A token of a gateway cannot be made or revoked. The message says why. */
export class GatewayError extends Error {}

/** A gateway whose token is about to be made. */
export interface NewGateway {
  /** 1 to 32 lower-case letters, digits, dots and hyphens. */
  name: string;
  /** The accounts whose keys it may spend of; undefined: every account. */
  accountIds: string[] | undefined;
  /** The last valid day, whole, in UTC: YYYY-MM-DD. Undefined: it does not expire. */
  expiresOn: string | undefined;
}

/** A token of a gateway, as the list of them shows it. Times are in ISO 8601, UTC. */
export interface ListedGateway {
  name: string;
  accounts: string[] | null;
  expires: string | null;
  state: "valid" | "expired" | "revoked";
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

/**
 * Makes a token for a gateway.
 * @returns the token. Only its hash is stored.
 * @throws {GatewayError} when another token that is not revoked has the name, or an account does not exist.
 */
export async function createGateway(
  { prisma }: Pick<Database, "prisma">,
  { name, accountIds, expiresOn }: NewGateway,
): Promise<string> {
  const known = await prisma.account.findMany({ where: { id: { in: accountIds ?? [] } }, select: { id: true } });
  const unknown = accountIds?.find((id) => !known.some((account) => account.id === id));
  if (unknown !== undefined) throw new GatewayError(`accounts: there is no account ${unknown}`);
  const token = makeGatewayToken();
  const data = {
    hash: new Uint8Array(hashGatewayToken(token)),
    name,
    ...(accountIds && { accountIds }),
    ...(expiresOn !== undefined && { expiresOn: new Date(expiresOn) }),
  };
  try {
    await prisma.gatewayToken.create({ data, select: { name: true } });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new GatewayError(`name: the gateway ${name} has a token already; revoke it first`);
  }
  return token;
}

/** Every token that was made, the newest first. */
export async function listGateways({ prisma }: Pick<Database, "prisma">): Promise<ListedGateway[]> {
  const rows = await prisma.$queryRaw<(Omit<ListedGateway, MomentName> & Record<MomentName, Date | null>)[]>`
    SELECT name, account_ids AS accounts, expires_on::text AS expires,
      CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN ${Prisma.raw(isTokenValid)} THEN 'valid' ELSE 'expired' END
        AS state,
      created_at, last_used_at, revoked_at
    FROM gateway_token token
    ORDER BY created_at DESC, hash`;
  return rows.map((row) => ({
    ...row,
    created_at: row.created_at?.toISOString() ?? "",
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  }));
}

type MomentName = "created_at" | "last_used_at" | "revoked_at";

/**
 * Revokes the token of a gateway. Every process refuses it from then on.
 * @throws {GatewayError} when no token that is not revoked has the name.
 */
export async function revokeGateway({ prisma }: Pick<Database, "prisma">, name: string): Promise<void> {
  const count = await prisma.$executeRaw`
    UPDATE gateway_token SET revoked_at = now() WHERE name = ${name} AND revoked_at IS NULL`;
  if (count === 0) throw new GatewayError(`name: no gateway ${name} has a token that is not revoked`);
}
