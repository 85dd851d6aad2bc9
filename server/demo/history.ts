import type { Action } from "../history/action";
import type { Actor } from "../history/actor";
import type { EventKeyRow, EventRow } from "../history/recording";
import { objectId, type Random } from "./random";

/** Those who changed something. */
export interface Actors {
  /** Who signs in. */
  email: string;
  defaultKeyId: string;
}

/** What an event was done to, and with what result. */
export interface Change {
  action: Action;
  group?: { id: string; name: string } | undefined;
  keys?: readonly { id: string; name: string; before: object }[];
  before?: object;
  after?: object;
  /** Through what it was done. Absent: mostly the dashboard, and sometimes a program. */
  through?: Actor["kind"];
}

const PROGRAMS_SHARE = 0.3;

/** The events, and the keys of each. */
export class History {
  readonly events: EventRow[] = [];
  readonly eventKeys: EventKeyRow[] = [];

  constructor(
    private readonly random: Random,
    private readonly actors: Actors,
  ) {}

  /** @param at milliseconds since 1970. */
  add(at: number, { action, group, keys = [], before = {}, after = {}, through }: Change): void {
    const id = objectId(this.random, at);
    const by = through ?? (this.random.chance(PROGRAMS_SHARE) ? "rest" : "browser");
    this.events.push({
      id,
      at: new Date(at).toISOString(),
      actor: by,
      ...this.visit(by),
      action,
      group_id: group?.id ?? null,
      group_name: group?.name ?? null,
      key_count: keys.length,
      before,
      after,
    });
    for (const key of keys) {
      this.eventKeys.push({ event_id: id, key_id: key.id, key_name: key.name, before: key.before });
    }
  }

  /** The name and the address, of those that RFC 5737 keeps for documentation. */
  private visit(by: Actor["kind"]): { actor_name: string; address: string | null } {
    const { email, defaultKeyId } = this.actors;
    switch (by) {
      case "browser":
        return { actor_name: email, address: `203.0.113.${this.random.whole(1, 30)}` };
      case "rest":
        return { actor_name: defaultKeyId, address: `198.51.100.${this.random.whole(10, 14)}` };
      case "command_line":
        return { actor_name: "account:recover", address: null };
    }
  }
}
