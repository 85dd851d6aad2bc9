import type { DBAdapter, DBTransactionAdapter, Where } from "better-auth/types";
import { hashSessionToken } from "./session-token";

/** A request of better-auth to its database. */
interface Request {
  model: string;
  where?: Where[];
  data?: Record<string, unknown>;
}

/** The methods of an adapter that ask the database. */
export const ADAPTER_METHODS = [
  "create",
  "findOne",
  "findMany",
  "count",
  "update",
  "updateMany",
  "delete",
  "deleteMany",
  "consumeOne",
  "incrementOne",
] as const;

/**
 * An adapter of better-auth that keeps the SHA-256 of session tokens in place of the tokens. better-auth itself sees the
 * tokens that it has made or has read from a cookie; of other sessions it sees the hash.
 */
export function withHashedTokens(adapter: DBAdapter): DBAdapter {
  return {
    ...withHashes(adapter),
    transaction: (work) => adapter.transaction((transaction) => work(withHashes(transaction))),
  } as DBAdapter;
}

function withHashes(adapter: DBTransactionAdapter): DBTransactionAdapter {
  const methods = ADAPTER_METHODS.map((name) => {
    const method = adapter[name] as (request: Request) => Promise<unknown>;
    return [name, (request: Request) => (request.model === "session" ? hashing(method, request) : method(request))];
  });
  return { ...adapter, ...Object.fromEntries(methods) };
}

async function hashing(method: (request: Request) => Promise<unknown>, request: Request): Promise<unknown> {
  const tokens = new Map<unknown, string>();
  const hash = (token: string) => {
    const hashed = hashSessionToken(token);
    tokens.set(hashed, token);
    return hashed;
  };
  const { where, data } = request;
  const answer = await method({
    ...request,
    ...(where && { where: where.map((condition) => hashedCondition(condition, hash)) }),
    ...(typeof data?.token === "string" && { data: { ...data, token: hash(data.token) } }),
  });
  const restore = (row: unknown) =>
    row !== null && typeof row === "object" && "token" in row && tokens.has(row.token)
      ? { ...row, token: tokens.get(row.token) }
      : row;
  return Array.isArray(answer) ? answer.map(restore) : restore(answer);
}

function hashedCondition(condition: Where, hash: (token: string) => string): Where {
  const { field, value } = condition;
  if (field !== "token") return condition;
  return { ...condition, value: Array.isArray(value) ? value.map((each) => hash(String(each))) : hash(String(value)) };
}
