import { z } from "zod";
import { listEventsInput } from "../history/schema";
import { list, success } from "../input/answer";
import { expected } from "../input/expectation";
import { rule } from "../input/fault";
import { objectId } from "../input/object-id";
import { MAX_NAME_LENGTH, nameText } from "../input/text";
import { unixTime } from "../input/unix-time";
import { listKeysInput } from "../keys/schema";

/** The most that an account may have. */
export const MAX_SAVED_FILTERS = 50;

const { page: _keysPage, page_size: _keysPageSize, ...keysQuery } = listKeysInput.shape;
const { page: _eventsPage, page_size: _eventsPageSize, ...historyQuery } = listEventsInput.shape;

/** A part of a filter that does not exist would be left out, and more would show than was asked for. */
const strict = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys" ? "has a parameter that the list does not know" : expected("object")(issue),
  });

/** What each list can be filtered and ordered by: its parameters without the page. */
export const SAVED_QUERIES = {
  keys: strict(keysQuery).meta({
    id: "ApiKeyQuery",
    description: "Filter and order of the list of keys.",
    examples: [{ look: "over_80", sort: "spent", order: "desc" }],
  }),
  history: strict(historyQuery).meta({
    id: "HistoryQuery",
    description: "Filter of the history.",
    examples: [{ action: "key.revoked" }],
  }),
};

/** A list that filters can be saved for. */
export type FilteredList = keyof typeof SAVED_QUERIES;

const FILTERED_LISTS = Object.keys(SAVED_QUERIES) as FilteredList[];

const filterId = objectId.meta({
  description: "Identifier of the saved filter.",
  examples: ["6920a1f0c3d4e5f60718293d"],
});
const filterName = nameText.meta({
  description: `Name of the saved filter, 1 to ${MAX_NAME_LENGTH} characters, unique within the account.`,
  examples: ["Near their limit"],
});

const savedFilter = z
  .object({
    id: filterId,
    name: filterName,
    keys: SAVED_QUERIES.keys.nullable().meta({ description: "For the list of keys; `null` for another list." }),
    history: SAVED_QUERIES.history
      .nullable()
      .meta({ description: "For the history; `null` for another list.", examples: [null] }),
    created_at: unixTime("Creation time"),
  })
  .meta({ id: "SavedFilter", description: "A filter and an order of a list, under a name." });

export type SavedFilter = z.infer<typeof savedFilter>;

/** All saved filters of an account. */
export const savedFilterList = z.object({
  object: list,
  data: z.array(savedFilter).meta({ description: "Every saved filter of the account, by name." }),
});

/** Body of the creation of a saved filter. */
export const createSavedFilterInput = z
  .object({ name: filterName, keys: SAVED_QUERIES.keys.optional(), history: SAVED_QUERIES.history.optional() })
  .refine(
    (input) => FILTERED_LISTS.filter((name) => input[name] !== undefined).length === 1,
    rule("exactly_one_of", `exactly one of ${FILTERED_LISTS.join(" and ")} is required`, {
      names: FILTERED_LISTS.join(", "),
    }),
  );

/** Path and body of a renaming. */
export const renameSavedFilterInput = z.object({ filter_id: filterId, name: filterName });

/** Path of a saved filter. */
export const savedFilterReference = z.object({ filter_id: filterId });

/** Answer of the creation and of a renaming. */
export const changedSavedFilter = z
  .object({
    success,
    message: z.string().meta({
      description: "What was done, in words.",
      examples: ['Filter "Near their limit" saved.'],
    }),
    ...savedFilter.shape,
  })
  .meta({ id: "ChangedSavedFilter" });

/** Answer of the deletion. */
export const deletedSavedFilter = z.object({
  success,
  message: z.string().meta({
    description: "What was done, in words.",
    examples: ['Saved filter "Near their limit" deleted.'],
  }),
});
