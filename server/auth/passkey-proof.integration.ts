import { describe, expect, test } from "vitest";
import { newObjectId } from "../input/new-object-id";
import { database, newAccount } from "../testing/database";
import type { AccountId } from "./account-id";
import { proofOfPasskey } from "./passkey-proof";

const LONG_AGO = new Date("2026-01-01T00:00:00Z");
const TOMORROW = new Date(Date.now() + 86_400_000);

/** A session, of which the last proof is old. */
async function newSession(userId: AccountId): Promise<string> {
  const id = newObjectId();
  const data = { id, token: id, userId, expiresAt: TOMORROW, provedAt: LONG_AGO };
  await database.prisma.session.create({ data, select: { id: true } });
  return id;
}

/** What better-auth answers after it has signed an account in with a passkey, with a session of its own. */
async function signedIn(userId: AccountId) {
  const id = await newSession(userId);
  return { id, answer: Response.json({ session: { id, userId }, user: { id: userId } }) };
}

const found = (id: string) => database.prisma.session.findUnique({ where: { id } });

describe("a sign-in with a passkey", () => {
  test("of the same account is a proof of the session that is there, and leaves no other", async () => {
    const { account_id: accountId } = await newAccount();
    const sessionId = await newSession(accountId);
    const { id, answer } = await signedIn(accountId);
    expect((await proofOfPasskey(answer, database, { accountId, sessionId })).status).toBe(200);
    expect((await found(sessionId))?.provedAt.getTime()).toBeGreaterThan(LONG_AGO.getTime());
    expect(await found(id)).toBeNull();
  });

  test("of another account is refused, proves nothing, and leaves no session either", async () => {
    const { account_id: accountId } = await newAccount();
    const sessionId = await newSession(accountId);
    const { id, answer } = await signedIn((await newAccount()).account_id);
    const refused = await proofOfPasskey(answer, database, { accountId, sessionId });
    expect([refused.status, await refused.json()]).toEqual([
      403,
      { code: "PASSKEY_OF_ANOTHER_ACCOUNT", message: "the passkey belongs to another account" },
    ]);
    expect((await found(sessionId))?.provedAt).toEqual(LONG_AGO);
    expect(await found(id)).toBeNull();
  });

  test("that failed is passed on", async () => {
    const { account_id: accountId } = await newAccount();
    const sessionId = await newSession(accountId);
    const failed = Response.json({ code: "PASSKEY_NOT_FOUND" }, { status: 401 });
    expect(await proofOfPasskey(failed, database, { accountId, sessionId })).toBe(failed);
    expect((await found(sessionId))?.provedAt).toEqual(LONG_AGO);
  });
});
