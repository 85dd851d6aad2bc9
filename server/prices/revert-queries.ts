import type { AccountId } from "../auth/account-id";
import type { Database, Transaction } from "../db/client";
import { errors } from "../errors/catalogue";
import type { Failure } from "../errors/failure";
import type { Actor } from "../history/actor";
import type { Outcome } from "../outcome";
import { bookOf } from "./book";
import { changeLocked, readTariffs, type TariffChange } from "./change-queries";
import { type RecordedTariff, readEventTariffs, recordOfAccount } from "./recording";
import { identityOf, isSame, type Tariff } from "./tariff";

/** What came of undoing a change of prices. */
export interface RevertedPrices {
  /** What becomes of each price, by name; none when all stay. */
  changes: TariffChange[];
  /** The prices that stay, those that were changed since first. */
  left: { name: string; validFrom: string; reason: Failure }[];
  /** The event of the undoing. */
  eventId: string | undefined;
}

/**
 * Gives the account's prices the values back that they had before an event, all or none: a catalogue that is half of before
 * and half of after is one that nobody has set.
 * @returns undefined when the event has no prices.
 */
export function revertPrices(
  db: Pick<Database, "prisma">,
  accountId: AccountId,
  actor: Actor,
  eventId: string,
  { isForced, isDryRun }: { isForced: boolean; isDryRun: boolean },
): Promise<Outcome<RevertedPrices, Failure> | undefined> {
  const book = bookOf(accountId);
  return db.prisma.$transaction(async (transaction) => {
    await book.lock(transaction);
    const recorded = await readEventTariffs(transaction, accountId, eventId);
    if (recorded.length === 0) return undefined;
    const { able, left } = judge(recorded, await readPresent(transaction, accountId, recorded), isForced);
    if (able.length === 0) return { ok: true, changes: [], left, eventId: undefined };
    const set = able.flatMap(({ before, id }) => (before ? [{ ...before, id: id ?? undefined }] : []));
    const remove = able.flatMap(({ before, name, validFrom }) => (before ? [] : [{ name, validFrom }]));
    let undoing: string | undefined;
    const record = async (within: Transaction, changes: readonly TariffChange[]) => {
      const action = changes.every(({ change }) => change === "deleted") ? "models.deleted" : "models.set";
      undoing = await recordOfAccount(accountId, actor, action, eventId)(within, changes);
    };
    const outcome = await changeLocked(transaction, book, { set, remove }, { isDryRun, record });
    return outcome.ok ? { ok: true, changes: outcome.changes, left, eventId: undoing } : outcome;
  });
}

function readPresent(transaction: Transaction, accountId: AccountId, recorded: readonly RecordedTariff[]) {
  return readTariffs(
    transaction,
    bookOf(accountId),
    recorded.map(({ name }) => name),
  );
}

/** Which prices of an event can be undone. One that was changed since keeps the others, unless it is forced. */
function judge(
  recorded: readonly RecordedTariff[],
  present: ReadonlyMap<string, Tariff>,
  isForced: boolean,
): { able: RecordedTariff[]; left: RevertedPrices["left"] } {
  const able: RecordedTariff[] = [];
  const changed: RecordedTariff[] = [];
  const asBefore: RecordedTariff[] = [];
  for (const price of recorded) {
    const now = present.get(identityOf(price));
    if (isSameOrNone(now, price.before)) asBefore.push(price);
    else if (!isForced && !isSameOrNone(now, price.after)) changed.push(price);
    else able.push(price);
  }
  const because = (prices: readonly RecordedTariff[], reason: Failure) =>
    prices.map(({ name, validFrom }) => ({ name, validFrom, reason }));
  const left = [...because(changed, errors.changedSince()), ...because(asBefore, errors.asBefore())];
  if (changed.length === 0) return { able, left };
  return { able: [], left: [...left, ...because(able, errors.undoneTogether())] };
}

function isSameOrNone(one: Tariff | undefined, other: Tariff | undefined): boolean {
  return one === undefined || other === undefined ? one === other : isSame(one, other);
}
