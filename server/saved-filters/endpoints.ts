import { endpoint, failureExample, faultExample, type Tag, wrongInput } from "../endpoint";
import { errors } from "../errors/catalogue";
import { createSavedFilterInput, MAX_SAVED_FILTERS, renameSavedFilterInput, savedFilterReference } from "./schema";

const tag: Tag = {
  name: "Saved filters",
  description: "Names for filters and orders of the list of keys and of the history.",
};

const filterId = "6920a1f0c3d4e5f60718293d";

const noSuchFilter = {
  when: "The saved filter does not exist.",
  examples: { noSuchFilter: failureExample("Unknown saved filter", errors.noSuchSavedFilter()) },
};
const nameTaken = failureExample("Name already exists", errors.savedFilterNameTaken());

/** The endpoints of saved filters. */
export const savedFilterEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/v1/saved_filters",
    tag,
    summary: "List saved filters",
    description: "Every saved filter of the account, by name.",
    success: "Every saved filter of the account, by name.",
  }),

  create: endpoint({
    method: "POST",
    path: "/v1/saved_filters",
    operationId: "createSavedFilter",
    tag,
    summary: "Save a filter",
    description:
      "Gives a name to a filter and an order: `keys` has parameters of the list of keys, `history` those of the history, without the page. Exactly one of the two is required.",
    status: 201,
    success: "The filter has been saved.",
    requests: {
      keys: {
        summary: "Of the list of keys",
        value: { name: "Near their limit", keys: { look: "over_80", sort: "spent", order: "desc" } },
      },
      history: { summary: "Of the history", value: { name: "Revoked keys", history: { action: "key.revoked" } } },
    },
    answer: {
      success: true,
      message: 'Filter "Near their limit" saved.',
      id: filterId,
      name: "Near their limit",
      keys: { look: "over_80", sort: "spent", order: "desc" },
      history: null,
      created_at: 1795219200,
    },
    errors: {
      400: {
        when: "A saved filter of this name already exists; `name` is missing, empty or longer than 128 characters; not exactly one of `keys` and `history` is sent; one of their parameters is unknown or has a wrong value.",
        examples: {
          nameTaken,
          wrongParameter: faultExample("Wrong parameter", createSavedFilterInput, {
            name: "n",
            keys: { status: "on" },
          }),
          neither: faultExample("Neither list", createSavedFilterInput, { name: "n" }),
        },
      },
      409: {
        when: `The account has ${MAX_SAVED_FILTERS} saved filters.`,
        examples: { tooMany: failureExample("Too many", errors.tooManySavedFilters(MAX_SAVED_FILTERS)) },
      },
    },
  }),

  rename: endpoint({
    method: "POST",
    path: "/v1/saved_filters/{filter_id}/rename",
    operationId: "renameSavedFilter",
    tag,
    summary: "Rename a saved filter",
    description: "Gives a saved filter another name.",
    success: "The saved filter as it is now.",
    answer: { message: 'Saved filter renamed to "Near their limit".' },
    errors: {
      400: {
        when: "A saved filter of this name already exists; `name` is missing, empty or longer than 128 characters.",
        examples: {
          nameTaken,
          wrongType: faultExample("Wrong type", renameSavedFilterInput, { filter_id: filterId, name: 5 }),
        },
      },
      404: noSuchFilter,
    },
  }),

  delete: endpoint({
    method: "POST",
    path: "/v1/saved_filters/{filter_id}/delete",
    operationId: "deleteSavedFilter",
    tag,
    summary: "Delete a saved filter",
    description: "Deletes a saved filter. What it shows stays.",
    success: "The saved filter is deleted.",
    errors: {
      400: { ...wrongInput(savedFilterReference, { filter_id: "mine" }), when: "`filter_id` is not a valid ObjectId." },
      404: noSuchFilter,
    },
  }),
};
