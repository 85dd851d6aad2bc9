import type { z } from "zod";
import { BYTE_ORDER_MARK, CSV_TYPE, csvLine } from "../csv";
import type { EXPORT_FORMATS, exportedEvents, HistoryEvent } from "./schema";

/** How many events a part of the file has. */
export const EVENTS_OF_PART = 500;

const CSV_COLUMNS = [
  "id",
  "at",
  "action",
  "actor",
  "actor_name",
  "address",
  "group_id",
  "group_name",
  "key_count",
  "keys",
  "before",
  "after",
  "reverts",
];

/** Events as the next part of a file. The first part of a CSV file begins with the names of the columns. */
export function partOfFile(
  format: (typeof EXPORT_FORMATS)[number],
  events: readonly HistoryEvent[],
  isFirst: boolean,
): z.infer<typeof exportedEvents> {
  const next = events.length < EVENTS_OF_PART ? null : (events.at(-1)?.id ?? null);
  if (format === "jsonl") {
    const text = events.map((event) => `${JSON.stringify(event)}\n`).join("");
    return { type: "application/x-ndjson", name: "history.jsonl", text, next };
  }
  const head = isFirst ? BYTE_ORDER_MARK + csvLine(CSV_COLUMNS) : "";
  const text = head + events.map((event) => csvLine(cellsOf(event))).join("");
  return { type: CSV_TYPE, name: "history.csv", text, next };
}

/** Times are in UTC. Values, and the first few keys with theirs, are JSON. */
function cellsOf({
  id,
  at,
  action,
  actor,
  address,
  group_id,
  group_name,
  key_count,
  keys,
  before,
  after,
  reverts,
}: HistoryEvent) {
  return [
    id,
    new Date(at * 1000).toISOString().replace(".000Z", "Z"),
    action,
    actor.kind,
    actor.name,
    address ?? "",
    group_id ?? "",
    group_name ?? "",
    String(key_count),
    JSON.stringify(keys),
    JSON.stringify(before),
    JSON.stringify(after),
    reverts ?? "",
  ];
}
