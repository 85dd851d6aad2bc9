import { beforeEach, describe, expect, test, vi } from "vitest";
import type { AccountId } from "../auth/account-id";
import { hashGatewayToken } from "../auth/gateway";
import { createGateway, revokeGateway } from "../auth/gateway-queries";
import { KnownSpender, type SpendCredential, SpenderRefused } from "../auth/known-spenders";
import { newObjectId } from "../input/new-object-id";
import { hashKeyValue, makeNextValue } from "../keys/key-value";
import { rotateSecret } from "../keys/secret-queries";
import { registry } from "../metrics/registry";
import { Catalogues } from "../prices/catalogues";
import { database, newAccount, newKey } from "../testing/database";
import { countWaiting } from "../testing/waiting";
import { Authorizer } from "./authorizer";

// The transaction that decides asks whether the credential of each sender is still valid. Where one is not, its calls are
// refused, those of the others in the batch are decided, and nothing is written for it.

const ACTOR = { kind: "command_line", name: "test", address: null } as const;

/** Who sends calls: an account with its default key, or a gateway. */
interface Sender {
  accountId: AccountId;
  key: { apikey: string; id: string };
  known(): KnownSpender;
  /** Makes its credential invalid. */
  end(): Promise<unknown>;
  /** How often it was found valid, and how often not. */
  proofs: number;
  refusals: number;
}

async function owner(end: (accountId: AccountId, apikey: string) => Promise<unknown>): Promise<Sender> {
  const { account_id: accountId, apikey } = await newAccount();
  const key = { accountId, keyId: apikey.slice(0, 10) };
  return newSender(accountId, { hash: hashKeyValue(apikey), spender: accountId, key }, () => end(accountId, apikey));
}

async function gateway(end: (name: string) => Promise<unknown>): Promise<Sender> {
  const { account_id: accountId } = await newAccount();
  const name = `g-${newObjectId()}`;
  const token = await createGateway(database, { name, accountIds: undefined, expiresOn: undefined });
  const spender = { name, accountIds: undefined };
  return newSender(accountId, { hash: hashGatewayToken(token), spender, key: undefined }, () => end(name));
}

async function newSender(accountId: AccountId, credential: SpendCredential, end: Sender["end"]): Promise<Sender> {
  const sender: Sender = {
    accountId,
    key: await newKey(accountId),
    known: () => new KnownSpender(credential, { onValid: () => sender.proofs++, onInvalid: () => sender.refusals++ }),
    end,
    proofs: 0,
    refusals: 0,
  };
  return sender;
}

const write = (text: string, value: string) => database.pool.query(text, [value]);
const rotate = (graceSeconds: number) => (accountId: AccountId, apikey: string) => {
  const apikeyId = apikey.slice(0, 10);
  return rotateSecret(database, accountId, ACTOR, {
    apikeyId,
    hash: hashKeyValue(makeNextValue(apikeyId)),
    graceSeconds,
  });
};

/** Each way in which a credential ends. */
const ENDS: [string, () => Promise<Sender>][] = [
  ["a default key that was rotated", () => owner(rotate(0))],
  [
    "a default key whose time of grace is over",
    () =>
      owner(async (accountId, apikey) => {
        await rotate(3600)(accountId, apikey);
        await write("UPDATE earlier_value SET expires_at = now() WHERE account_id = $1", accountId);
      }),
  ],
  [
    "a default key that has expired",
    () =>
      owner((id) => write("UPDATE api_key SET expiry_date = '2020-01-01' WHERE account_id = $1 AND is_default", id)),
  ],
  [
    "the default key of an account that is disabled",
    () => owner((id) => write("UPDATE account SET disabled_at = now() WHERE id = $1", id)),
  ],
  [
    "a key that is not the default key",
    () => owner((id) => write("UPDATE api_key SET is_default = false WHERE account_id = $1 AND is_default", id)),
  ],
  ["a token that was revoked", () => gateway((name) => revokeGateway(database, name))],
  [
    "a token whose last day is over",
    () => gateway((name) => write("UPDATE gateway_token SET expires_on = '2020-01-01' WHERE name = $1", name)),
  ],
];

let authorizer: Authorizer;
beforeEach(() => {
  authorizer = new Authorizer(database, { maxOpenHolds: 1000 });
});

const ASKED = { amount: 1, inputPrice: undefined, outputPrice: undefined };

interface Asking {
  at?: Authorizer;
  /** Undefined: the sender was recognised before. */
  by?: KnownSpender | undefined;
  requestId?: string;
}

const authorize = (sender: Sender, asking: Asking = {}) => {
  const { at = authorizer, by, requestId } = { by: sender.known(), ...asking };
  return at.authorize({ apikey: sender.key.apikey, ...ASKED, requestId, ttlSeconds: 600 }, sender.accountId, by);
};
const check = ({ accountId, key, known }: Sender) =>
  authorizer.check({ apikey: key.apikey }, ASKED, accountId, known());

/** Everything that is written of the keys of an account. */
const written = async ({ accountId }: Sender): Promise<unknown> => {
  const { rows } = await database.pool.query(
    `SELECT (SELECT array_agg(one::text ORDER BY id) FROM api_key one WHERE account_id = $1) AS keys,
      (SELECT array_agg(one::text ORDER BY id) FROM "authorization" one WHERE account_id = $1) AS authorizations,
      (SELECT count(*) FROM ledger WHERE account_id = $1) AS captures,
      (SELECT count(*) FROM refusal_day WHERE account_id = $1) AS refusals`,
    [accountId],
  );
  return rows;
};

/** How many transactions have decided by what was known, and found that it is not so. */
async function foundChanged(): Promise<number> {
  const metric = await registry.getSingleMetric("allowance_spend_transactions_total")?.get();
  return metric?.values.find(({ labels }) => labels.keys === "changed")?.value ?? 0;
}

describe.each(ENDS)("%s", (ending, make) => {
  test.each(["read", "known"])("has every call refused, and nothing is written; its key is %s", async (how) => {
    const [sender, other] = [await make(), await owner(rotate(0))];
    // An authorization is remembered where its key was known before.
    for (let i = 0; i < 3; i++) await Promise.all([authorize(sender), authorize(other), check(sender)]);
    const [captured, voided] = [await authorize(sender), await authorize(sender)].map(
      ({ authorizationId }) => authorizationId ?? "",
    ) as [string, string];
    if (how === "read") authorizer = new Authorizer(database, { maxOpenHolds: 1000 });
    await sender.end();
    const [before, proofs, changed] = [await written(sender), sender.proofs, await foundChanged()];
    const { accountId } = sender;
    const [granted, ...others] = await Promise.allSettled([
      authorize(other),
      authorize(sender),
      authorize(sender, { requestId: "r" }),
      authorizer.capture(accountId, { id: captured, amount: 1 }, sender.known()),
      authorizer.void(accountId, voided, sender.known()),
      check(sender),
    ]);
    expect(granted).toMatchObject({ value: { verdict: "granted" } });
    expect(others).toEqual(Array(5).fill({ status: "rejected", reason: expect.any(SpenderRefused) }));
    expect([await written(sender), sender.proofs, sender.refusals]).toEqual([before, proofs, 5]);
    if (how === "known") expect(await foundChanged()).toBeGreaterThan(changed);
    // For a sender who was recognised before, nothing is asked.
    expect((await authorize(sender, { by: undefined })).authorizationId !== null).toBe(!ending.includes("disabled"));
  });
});

test("a value in its time of grace, and a key that is enabled again, are valid", async () => {
  const sender = await owner(rotate(3600));
  for (let i = 0; i < 3; i++) await authorize(sender);
  await sender.end();
  expect((await authorize(sender)).verdict).toBe("granted");
  const disabled = await owner((id) => write("UPDATE account SET disabled_at = now() WHERE id = $1", id));
  await disabled.end();
  await expect(authorize(disabled)).rejects.toThrow(SpenderRefused);
  await write("UPDATE account SET disabled_at = NULL WHERE id = $1", disabled.accountId);
  expect((await authorize(disabled)).verdict).toBe("granted");
});

test.each([2, 7, 64])(
  "in batches of %i, senders come and go, and each call is decided by what its sender is then",
  async (mostAtOnce) => {
    const at = new Authorizer(database, { maxOpenHolds: 1000, mostAtOnce });
    const makers = ENDS.map(([, make]) => make);
    const senders = await Promise.all([...makers, ...makers].map((make) => make()));
    const staying = new Set(senders.slice(makers.length));
    // Each sends three calls at once: known for the second time, all of these are decided in one round trip.
    const all = () => Promise.allSettled(senders.flatMap((each) => [0, 1, 2].map(() => authorize(each, { at }))));
    for (let i = 0; i < 3; i++) {
      for (const result of await all())
        expect(result).toMatchObject({ status: "fulfilled", value: { verdict: "granted" } });
    }
    for (const sender of senders) if (!staying.has(sender)) await sender.end();
    const results = await all();
    const expected = senders.flatMap((each) => Array(3).fill(staying.has(each) ? "fulfilled" : "rejected"));
    expect(results.map(({ status }) => status)).toEqual(expected);
    for (const each of senders) {
      const { rows } = await database.pool.query(
        `SELECT count(*)::int AS holds FROM "authorization" WHERE account_id = $1`,
        [each.accountId],
      );
      expect(rows).toEqual([{ holds: staying.has(each) ? 12 : 9 }]);
      expect(each.proofs).toBe(staying.has(each) ? 12 : 9);
    }
  },
);

test("a call by model that takes a second transaction, because prices have changed, is asked for once", async () => {
  const sender = await owner(rotate(0));
  const model = `model-${newObjectId()}`;
  const setPrice = (price: number) =>
    database.pool.query(
      `WITH written AS (
        INSERT INTO account_price (account_id, id, name, aliases, input_price, output_price)
        VALUES ($1, repeat('0', 24), $2, '{}', $3, 0)
        ON CONFLICT (account_id, id) DO UPDATE SET input_price = EXCLUDED.input_price
      ) UPDATE account SET prices_version = prices_version + 1 WHERE id = $1`,
      [sender.accountId, model, price],
    );
  const catalogues = new Catalogues(database);
  authorizer = new Authorizer(database, { maxOpenHolds: 1000 }, catalogues);
  const byModel = () =>
    authorizer.authorize(
      {
        apikey: sender.key.apikey,
        model,
        inputTokens: 1000,
        maxOutputTokens: 1000,
        requestId: undefined,
        ttlSeconds: 600,
      },
      sender.accountId,
      sender.known(),
    );
  await setPrice(1);
  expect((await byModel()).verdict).toBe("granted");
  await setPrice(2);
  const find = catalogues.find.bind(catalogues);
  const reading = vi.spyOn(catalogues, "find").mockImplementation(async (accountId) => {
    await sender.end();
    return find(accountId);
  });
  expect((await byModel()).verdict).toBe("granted");
  expect(reading).toHaveBeenCalledTimes(1);
  await expect(byModel()).rejects.toThrow(SpenderRefused);
});

test("a refused call does not even release the holds of its key that have expired", async () => {
  const sender = await owner(rotate(0));
  await authorize(sender);
  await database.pool.query(
    `WITH expired AS (UPDATE "authorization" SET expires_at = now() - interval '1 hour' WHERE account_id = $1)
    UPDATE api_key SET held_until = now() - interval '1 hour' WHERE account_id = $1 AND id = $2`,
    [sender.accountId, sender.key.id],
  );
  await sender.end();
  const before = await written(sender);
  await expect(authorize(sender)).rejects.toThrow(SpenderRefused);
  expect(await written(sender)).toEqual(before);
  expect(await authorize(sender, { by: undefined })).toMatchObject({ verdict: "granted" });
  expect(await written(sender)).not.toEqual(before);
});

test("where tables are distributed, decisions and checks ask too", async () => {
  const sender = await owner(rotate(0));
  const distributed = Object.create(database.distribution, { isOnOneServer: { value: false } });
  authorizer = new Authorizer({ ...database, distribution: distributed }, { maxOpenHolds: 1000 });
  expect((await authorize(sender)).verdict).toBe("granted");
  expect((await check(sender))?.keyId).toBe(sender.key.id);
  await sender.end();
  await expect(authorize(sender)).rejects.toThrow(SpenderRefused);
  await expect(check(sender)).rejects.toThrow(SpenderRefused);
});

test("a sender is refused also where the key was locked by others meanwhile", async () => {
  const sender = await owner(rotate(0));
  for (let i = 0; i < 3; i++) await authorize(sender);
  const client = await database.pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT 1 FROM api_key WHERE account_id = $1 AND id = $2 FOR UPDATE", [
      sender.accountId,
      sender.key.id,
    ]);
    const waiting = expect(authorize(sender)).rejects.toThrow(SpenderRefused);
    await expect.poll(() => countWaiting(database.pool, client)).toBe(1);
    await sender.end();
    await client.query("COMMIT");
    await waiting;
  } finally {
    client.release(true);
  }
});
