import type { Action } from "../history/action";
import type { EventKeyRow, EventRow } from "../history/recording";
import { limitsOf } from "../limits/apply";
import { LIMIT_NAMES, type Limits } from "../limits/schema";
import { type Random, seededRandom } from "./random";
import { groupDescription, groupName, keyName } from "./words";

/** How much demo data to make, and for whom. */
export interface DemoSize {
  keys: number;
  groups: number;
  /** The same seed on the same day makes the same data. */
  seed: number;
  /** First 3 characters of the keys. */
  keyPrefix: string;
  /** The actor of the events. */
  email: string;
  defaultKeyId: string;
}

interface GroupRow {
  id: string;
  name: string;
  description: string;
  created_at: string;
  updated_at: string;
}

interface KeyRow extends Limits {
  id: string;
  name: string;
  group_id: string | null;
  disabled_at: string | null;
  revoked_at: string | null;
  created_at: string;
  version: number;
}

/** The rows of each table, by their columns, without the account. */
export interface DemoData {
  groups: GroupRow[];
  keys: KeyRow[];
  events: EventRow[];
  eventKeys: EventKeyRow[];
}

/** A group, and the limits that its keys share. */
interface Team {
  row: GroupRow;
  prices: Pick<Limits, "input_price_limit" | "output_price_limit">;
  /** Whether the prices were set on all keys at once, an hour ago. */
  pricedTogether: boolean;
  keys: KeyRow[];
}

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** How many days ago the oldest group was made. */
const AGE_DAYS = 400;
const NO_PRICES = { input_price_limit: null, output_price_limit: null };

/** Makes groups, keys in every state and their history, as a deployment may have them after a year. */
export function makeDemoData(size: DemoSize, now: Date): DemoData {
  const random = seededRandom(size.seed);
  const history = new History(random, size);
  const today = now.getTime() - (now.getTime() % HOUR);
  const teams = Array.from({ length: size.groups }, (_, n) => makeTeam(random, n, today));
  for (const { row } of teams) {
    history.add(row.created_at, "group.created", row, [], { name: row.name, description: row.description });
  }
  const ids = new Set<string>();
  const keys = Array.from({ length: size.keys }, () => {
    const team = teams.length > 0 && !random.chance(0.05) ? teams[random.whole(0, teams.length - 1)] : undefined;
    const key = makeKey(random, freshId(random, size.keyPrefix, ids), team, today);
    team?.keys.push(key);
    const set = LIMIT_NAMES.filter((name) => key[name] !== null && !(team?.pricedTogether && name in team.prices));
    const after = { name: key.name, ...Object.fromEntries(set.map((name) => [name, key[name]])) };
    history.add(key.created_at, "key.created", team?.row, [{ key, before: {} }], after);
    if (key.disabled_at) history.add(key.disabled_at, "key.disabled", undefined, [{ key, before: {} }], {});
    if (key.revoked_at) history.add(key.revoked_at, "key.revoked", undefined, [{ key, before: {} }], {});
    return key;
  });
  for (const { row, prices, pricedTogether, keys: own } of teams) {
    const priced = own.filter((key) => key.revoked_at === null).map((key) => ({ key, before: NO_PRICES }));
    if (pricedTogether && priced.length > 0) {
      history.add(new Date(today - HOUR).toISOString(), "key.limits_set", row, priced, prices);
    }
  }
  return { groups: teams.map(({ row }) => row), keys, events: history.events, eventKeys: history.eventKeys };
}

function makeTeam(random: Random, n: number, today: number): Team {
  const created = today - random.whole(AGE_DAYS / 2, AGE_DAYS) * DAY;
  const createdAt = new Date(created).toISOString();
  const price = random.pick([2, 4, 8, 16] as const);
  const prices = random.chance(0.7) ? { input_price_limit: price, output_price_limit: price * 3 } : NO_PRICES;
  return {
    row: {
      id: objectId(random, created),
      name: groupName(n),
      description: groupDescription(random),
      created_at: createdAt,
      updated_at: createdAt,
    },
    prices,
    pricedTogether: n % 10 === 0 && prices !== NO_PRICES,
    keys: [],
  };
}

function makeKey(random: Random, id: string, team: Team | undefined, today: number): KeyRow {
  const from = team ? Date.parse(team.row.created_at) : today - AGE_DAYS * DAY;
  const until = today - 2 * HOUR;
  const created = random.whole(from, until);
  const later = () => new Date(random.whole(created, until)).toISOString();
  const revokedAt = random.chance(0.03) ? later() : null;
  const disabledAt = revokedAt === null && random.chance(0.03) ? later() : null;
  const budget = random.chance(0.8) ? random.pick([50, 100, 200, 500, 1000, 2000, 5000, 10_000] as const) : null;
  const pricedLater = team?.pricedTogether && revokedAt === null;
  const prices = team?.pricedTogether && revokedAt !== null ? NO_PRICES : (team?.prices ?? NO_PRICES);
  return {
    id,
    name: keyName(random),
    group_id: team?.row.id ?? null,
    ...limitsOf({}),
    budget,
    expiry_date: expiryDate(random, today),
    daily_limit: budget !== null && random.chance(0.6) ? budget / 20 : null,
    monthly_limit: budget !== null && random.chance(0.4) ? budget / 2 : random.chance(0.05) ? 0 : null,
    ...prices,
    disabled_at: disabledAt,
    revoked_at: revokedAt,
    created_at: new Date(created).toISOString(),
    version: 1 + [disabledAt, revokedAt, pricedLater].filter(Boolean).length,
  };
}

/** Most keys never expire. Some have expired, and some expire within a year. */
function expiryDate(random: Random, today: number): string | null {
  const days = random.chance(0.04) ? -random.whole(2, 120) : random.chance(0.25) ? random.whole(2, 365) : undefined;
  return days === undefined ? null : new Date(today + days * DAY).toISOString().slice(0, 10);
}

function freshId(random: Random, prefix: string, taken: Set<string>): string {
  for (;;) {
    const id = prefix + random.text(BASE62, 7);
    if (!taken.has(id)) {
      taken.add(id);
      return id;
    }
  }
}

/** An ObjectId of this moment. */
function objectId(random: Random, at: number): string {
  const seconds = Math.floor(at / 1000).toString(16);
  return seconds.padStart(8, "0") + random.hex() + random.hex();
}

/** The events, and the keys of each. */
class History {
  readonly events: EventRow[] = [];
  readonly eventKeys: EventKeyRow[] = [];

  constructor(
    private readonly random: Random,
    private readonly size: DemoSize,
  ) {}

  add(
    at: string,
    action: Action,
    group: GroupRow | undefined,
    keys: readonly { key: KeyRow; before: object }[],
    after: object,
  ): void {
    const id = objectId(this.random, Date.parse(at));
    const isProgram = this.random.chance(0.3);
    this.events.push({
      id,
      at,
      actor: isProgram ? "rest" : "browser",
      actor_name: isProgram ? this.size.defaultKeyId : this.size.email,
      // Addresses that RFC 5737 keeps for documentation.
      address: `203.0.113.${this.random.whole(1, 30)}`,
      action,
      group_id: group?.id ?? null,
      group_name: group?.name ?? null,
      key_count: keys.length,
      after,
    });
    for (const { key, before } of keys) {
      this.eventKeys.push({ event_id: id, key_id: key.id, key_name: key.name, before });
    }
  }
}
