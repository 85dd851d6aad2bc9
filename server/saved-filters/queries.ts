import type { Prisma } from "@/prisma/generated/client";
import type { AccountId } from "../auth/account-id";
import { HASHED_LOCKS } from "../db/advisory-locks";
import type { Database } from "../db/client";
import { isUniqueViolation } from "../db/unique-violation";
import { errors } from "../errors/catalogue";
import type { Failure } from "../errors/failure";
import type { Outcome } from "../outcome";
import { type FilteredList, MAX_SAVED_FILTERS, SAVED_QUERIES, type SavedFilter } from "./schema";

const SHOWN = { id: true, list: true, name: true, query: true, createdAt: true } satisfies Prisma.SavedFilterSelect;

/** What came of a change: the filter as it is after it. */
export type Saved = Outcome<{ filter: SavedFilter }, Failure>;

/** Every saved filter of the account, by name. */
export async function listSavedFilters({ prisma }: Database, accountId: AccountId): Promise<SavedFilter[]> {
  const rows = await prisma.savedFilter.findMany({ where: { accountId }, select: SHOWN, orderBy: { name: "asc" } });
  return rows.map(shown);
}

/** Saves a filter. A constraint of the database decides whether the name is free in the account. */
export function insertSavedFilter(
  { prisma }: Database,
  accountId: AccountId,
  filter: { id: string; name: string; list: FilteredList; query: Prisma.InputJsonObject },
): Promise<Saved> {
  return unlessNameTaken(() =>
    prisma.$transaction(async (transaction): Promise<Saved> => {
      await transaction.$executeRaw`SELECT pg_advisory_xact_lock(${HASHED_LOCKS.savedFilters}::int, hashtext(${accountId}))`;
      const count = await transaction.savedFilter.count({ where: { accountId } });
      if (count >= MAX_SAVED_FILTERS) return { ok: false, reason: errors.tooManySavedFilters(MAX_SAVED_FILTERS) };
      const row = await transaction.savedFilter.create({ data: { accountId, ...filter }, select: SHOWN });
      return { ok: true, filter: shown(row) };
    }),
  );
}

/** Gives a saved filter another name. */
export function renameSavedFilter(
  { prisma }: Database,
  accountId: AccountId,
  id: string,
  name: string,
): Promise<Saved> {
  return unlessNameTaken(async () => {
    const [row] = await prisma.savedFilter.updateManyAndReturn({
      where: { accountId, id },
      data: { name },
      select: SHOWN,
    });
    return row ? { ok: true, filter: shown(row) } : { ok: false, reason: errors.noSuchSavedFilter() };
  });
}

/** Deletes a saved filter, and returns its name; `undefined` when there is none. */
export async function deleteSavedFilter(
  { prisma }: Database,
  accountId: AccountId,
  id: string,
): Promise<string | undefined> {
  const rows = await prisma.$queryRaw<{ name: string }[]>`
    DELETE FROM saved_filter WHERE account_id = ${accountId} AND id = ${id} RETURNING name`;
  return rows[0]?.name;
}

async function unlessNameTaken(write: () => Promise<Saved>): Promise<Saved> {
  try {
    return await write();
  } catch (error) {
    if (isUniqueViolation(error)) return { ok: false, reason: errors.savedFilterNameTaken() };
    throw error;
  }
}

function shown({
  id,
  list,
  name,
  query,
  createdAt,
}: Prisma.SavedFilterGetPayload<{ select: typeof SHOWN }>): SavedFilter {
  const created_at = Math.floor(createdAt.getTime() / 1000);
  return { id, name, keys: null, history: null, [list]: known(list as FilteredList, query), created_at };
}

/** The parts of a stored filter that this version knows. Another one may have written it. */
function known(list: FilteredList, query: Prisma.JsonValue): object {
  const { shape } = SAVED_QUERIES[list];
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) => {
      const { data } = schema.safeParse((query as Prisma.JsonObject)[name]);
      return data === undefined ? [] : [[name, data]];
    }),
  );
}
