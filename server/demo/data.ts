import { limitsOf } from "../limits/apply";
import { LIMIT_NAMES, type Limits } from "../limits/schema";
import { Clock, DAY, HOUR, type Present } from "./clock";
import { type Fate, fateOf } from "./fates";
import { type Actors, History } from "./history";
import { objectId, type Random, seededRandom } from "./random";
import type { Counters, SpendRows } from "./spend-rows";
import { Spending } from "./spending";
import { groupDescription, groupName, keyName } from "./words";

/** How much demo data to make, and for whom. */
export interface DemoSize extends Actors {
  keys: number;
  groups: number;
  /** The same seed on the same day makes the same keys. */
  seed: number;
  /** First 3 characters of the keys. */
  keyPrefix: string;
}

interface GroupRow {
  id: string;
  name: string;
  description: string;
  created_at: string;
  updated_at: string;
}

interface KeyRow extends Limits, Counters {
  id: string;
  name: string;
  group_id: string | null;
  disabled_at: string | null;
  revoked_at: string | null;
  created_at: string;
  version: number;
}

/** The rows of each table, by their columns, without the account. */
export interface DemoData extends SpendRows {
  groups: GroupRow[];
  keys: KeyRow[];
  events: History["events"];
  eventKeys: History["eventKeys"];
}

/** A group, and the prices that its keys share. */
interface Team {
  row: GroupRow;
  created: number;
  prices: Prices;
  /** When the prices were set on all its keys at once; undefined: each key was made with them. */
  pricedAt: number | undefined;
  /** The keys that there were then. */
  priced: { id: string; name: string; before: Prices }[];
}

type Prices = Pick<Limits, "input_price_limit" | "output_price_limit">;

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** How many days ago the oldest group was made. */
const AGE_DAYS = 400;
/** Before so many days, a key with a fate was there. */
const FATED_DAYS = 60;
/** In so many days, some keys were changed and somebody signed in. */
const BUSY_DAYS = 42;
/** At most so many keys were changed then. */
const CHANGED_KEYS = 2_000;
const NO_PRICES: Prices = { input_price_limit: null, output_price_limit: null };

/** Makes groups, keys in every state, their spend and their history, as a deployment may have them after a year. */
export function makeDemoData(size: DemoSize, present: Present): DemoData {
  const maker = new Maker(size, new Clock(present));
  const groups = Array.from({ length: size.groups }, (_, place) => maker.addTeam(place));
  const keys = Array.from({ length: size.keys }, (_, place) => maker.addKey(place));
  if (size.keys > 0) maker.finish();
  const { events, eventKeys } = maker.history;
  return { groups, keys, events, eventKeys, ...maker.spending.rows };
}

class Maker {
  readonly history: History;
  readonly spending: Spending;
  /** Decides what keys and groups are. */
  private readonly random: Random;
  /** Decides the rest, which depends on the time of the day. So the same seed makes the same keys at any time. */
  private readonly otherRandom: Random;
  private readonly teams: Team[] = [];
  private readonly ids = new Set<string>();

  constructor(
    private readonly size: DemoSize,
    private readonly clock: Clock,
  ) {
    this.random = seededRandom(size.seed);
    this.otherRandom = seededRandom(size.seed + 0x9e3779b9);
    this.history = new History(this.otherRandom, size);
    this.spending = new Spending(this.otherRandom, clock);
  }

  addTeam(place: number): GroupRow {
    const { random, clock } = this;
    const created = clock.during(random.whole(AGE_DAYS / 2, AGE_DAYS), random.share());
    const createdAt = new Date(created).toISOString();
    const price = random.pick([2, 4, 8, 16] as const);
    const prices = random.chance(0.7) ? { input_price_limit: price, output_price_limit: price * 3 } : NO_PRICES;
    const isPricedLater = place % 10 === 0 && prices !== NO_PRICES;
    const name = groupName(place);
    const description = groupDescription(random);
    const row = { id: objectId(random, created), name, description, created_at: createdAt, updated_at: createdAt };
    const pricedAt = isPricedLater ? clock.during(random.whole(0, BUSY_DAYS), random.share()) : undefined;
    this.teams.push({ row, created, prices, pricedAt, priced: [] });
    this.history.add(created, { action: "group.created", group: row, after: { name, description } });
    if (place < CHANGED_KEYS && description !== "" && random.chance(0.15)) {
      const changed = clock.during(random.whole(1, BUSY_DAYS), random.share());
      const change = { before: { description: "" }, after: { description } };
      row.updated_at = new Date(changed).toISOString();
      this.history.add(changed, { action: "group.changed", group: row, ...change, through: "browser" });
    }
    return row;
  }

  addKey(place: number): KeyRow {
    const { random, clock, teams } = this;
    const team = teams.length > 0 && !random.chance(0.05) ? teams[random.whole(0, teams.length - 1)] : undefined;
    const fate = fateOf(place);
    const id = this.freshId();
    const from = team?.created ?? clock.now - AGE_DAYS * DAY;
    const until = fate.kind === "ordinary" ? clock.now - 2 * HOUR : clock.now - FATED_DAYS * DAY;
    const created = from + Math.floor(random.share() * (until - from));
    const later = () => created + Math.floor(random.share() * (clock.now - 2 * HOUR - created));
    const isOrdinary = fate.kind === "ordinary";
    const revoked = isOrdinary && random.chance(0.03) ? later() : undefined;
    const disabled = isOrdinary && revoked === undefined && random.chance(0.03) ? later() : undefined;
    const name = keyName(random, place);
    const limits = { ...this.limitsFor(fate), ...this.pricesFor(fate, team, revoked, { id, name, created }) };
    const row: KeyRow = {
      id,
      name,
      group_id: team?.row.id ?? null,
      ...limits,
      disabled_at: disabled === undefined ? null : new Date(disabled).toISOString(),
      revoked_at: revoked === undefined ? null : new Date(revoked).toISOString(),
      created_at: new Date(created).toISOString(),
      version: 1,
      ...this.spending.add({ id, limits, fate, ...this.usableDays(created, limits, revoked, disabled) }),
    };
    if (team?.pricedAt !== undefined && team.priced.at(-1)?.id === id) row.version += 1;
    this.tell(row, team, { created, disabled, revoked });
    if (isOrdinary && place < CHANGED_KEYS && revoked === undefined && disabled === undefined)
      this.change(row, created);
    return row;
  }

  /** Adds what was done to many keys at once, and to the account. */
  finish(): void {
    const { otherRandom: random, clock, history } = this;
    for (const { row, prices, pricedAt, priced } of this.teams) {
      if (pricedAt !== undefined && priced.length > 0) {
        history.add(pricedAt, { action: "key.limits_set", group: row, keys: priced, after: prices });
      }
    }
    for (let ago = BUSY_DAYS; ago > 0; ago--) {
      if (clock.isWeekend(ago) || random.chance(0.4)) continue;
      const at = clock.during(ago, random.share() / 10);
      if (random.chance(0.1)) {
        const failed = { method: "password", attempts: random.whole(1, 3) };
        history.add(at - 40_000, { action: "sign_in.failed", after: failed, through: "browser" });
      }
      const signedIn = { method: "password", second_factor: null };
      history.add(at, { action: "sign_in.signed_in", after: signedIn, through: "browser" });
    }
    const recovered = clock.during(24, 0.3);
    history.add(recovered, { action: "sign_in.recovered", after: {}, through: "command_line" });
    history.add(recovered, { action: "sign_in.password_changed", after: {}, through: "command_line" });
  }

  /** Limits of spend. A key that is at a limit, or near it, has no other. */
  private limitsFor(fate: Fate): Limits {
    const { random, clock } = this;
    switch (fate.kind) {
      case "limit": {
        const sizes = {
          budget: [200, 500, 1_000, 2_000],
          daily_limit: [5, 10, 20, 50],
          monthly_limit: [100, 200, 500, 1_000],
        };
        const [first = 0, ...others] = sizes[fate.window];
        return limitsOf({ [fate.window]: random.pick([first, ...others]) });
      }
      case "expiring":
        return limitsOf({ budget: random.pick([200, 500] as const), expiry_date: clock.day(-fate.days) });
      case "holding":
        return limitsOf({ budget: random.pick([1_000, 2_000, 5_000] as const) });
      default: {
        const budget = random.chance(0.8) ? random.pick([50, 100, 200, 500, 1000, 2000, 5000, 10_000] as const) : null;
        const monthly = budget !== null && random.chance(0.4) ? budget / 2 : random.chance(0.05) ? 0 : null;
        const daily = budget !== null && random.chance(0.6) ? budget / 20 : null;
        return { ...limitsOf({}), budget, daily_limit: daily, monthly_limit: monthly, expiry_date: this.expiryDate() };
      }
    }
  }

  /** Most keys never expire. Some have expired, and some expire within a year. */
  private expiryDate(): string | null {
    const { random, clock } = this;
    if (random.chance(0.04)) return clock.day(random.whole(2, 120));
    return random.chance(0.2) ? clock.day(-random.whole(8, 365)) : null;
  }

  /** The prices of a key. If they were set on the keys of its group together, the key may be one of those. */
  private pricesFor(
    fate: Fate,
    team: Team | undefined,
    revoked: number | undefined,
    { id, name, created }: { id: string; name: string; created: number },
  ): Prices {
    if (team?.pricedAt !== undefined && created < team.pricedAt) {
      if (revoked !== undefined && revoked < team.pricedAt) return NO_PRICES;
      team.priced.push({ id, name, before: NO_PRICES });
    }
    const prices = team?.prices ?? NO_PRICES;
    return fate.kind === "priced" && prices === NO_PRICES ? { input_price_limit: 4, output_price_limit: 12 } : prices;
  }

  /** On which days a key could be used, and why it is refused since. */
  private usableDays(
    created: number,
    { expiry_date }: Limits,
    revoked: number | undefined,
    disabled: number | undefined,
  ) {
    const { clock } = this;
    const ended = revoked ?? disabled;
    const expiredAgo = expiry_date === null ? 0 : Math.round((Date.parse(clock.today) - Date.parse(expiry_date)) / DAY);
    const endedAgo = ended === undefined ? 0 : clock.daysAgo(ended) + 1;
    const lastAgo = Math.max(0, expiredAgo, endedAgo);
    const refusedAfter =
      disabled !== undefined ? "key_disabled" : expiredAgo > 0 && ended === undefined ? "key_expired" : undefined;
    return { firstAgo: clock.daysAgo(created) - 1, lastAgo, refusedAfter } as const;
  }

  /** Adds the events of how a key began and ended. */
  private tell(
    row: KeyRow,
    team: Team | undefined,
    { created, disabled, revoked }: { created: number; disabled: number | undefined; revoked: number | undefined },
  ): void {
    const key = { id: row.id, name: row.name, before: {} };
    const isPricedLater = team?.priced.at(-1)?.id === row.id;
    const set = LIMIT_NAMES.filter((name) => row[name] !== null && !(isPricedLater && team && name in team.prices));
    const after = { name: row.name, ...Object.fromEntries(set.map((name) => [name, row[name]])) };
    this.history.add(created, { action: "key.created", group: team?.row, keys: [key], after });
    for (const [action, at] of [
      ["key.disabled", disabled],
      ["key.revoked", revoked],
    ] as const) {
      if (at === undefined) continue;
      row.version += 1;
      this.history.add(at, { action, keys: [key] });
    }
  }

  /** Changes some keys in the last weeks, to what they are now. */
  private change(row: KeyRow, created: number): void {
    const { otherRandom: random, clock, history } = this;
    const at = clock.during(random.whole(0, BUSY_DAYS), random.share());
    if (at < created || !random.chance(0.12)) return;
    const key = { id: row.id, name: row.name };
    row.version += 1;
    if (row.budget !== null && random.chance(0.6)) {
      const before = { budget: row.budget / random.pick([2, 4, 5] as const) };
      history.add(at, { action: "key.limits_set", keys: [{ ...key, before }], after: { budget: row.budget } });
    } else if (random.chance(0.5)) {
      const name = `${row.name}-old`;
      history.add(at, { action: "key.renamed", keys: [{ ...key, name, before: { name } }], after: { name: row.name } });
    } else {
      history.add(at, { action: "key.rotated", keys: [{ ...key, before: {} }], after: { grace_seconds: 3_600 } });
    }
  }

  private freshId(): string {
    for (;;) {
      const id = this.size.keyPrefix + this.random.text(BASE62, 7);
      if (!this.ids.has(id)) {
        this.ids.add(id);
        return id;
      }
    }
  }
}
