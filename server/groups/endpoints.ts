import { endpoint, failureExample, faultExample, type Tag, wrongInput } from "../endpoint";
import { errors } from "../errors/catalogue";
import { limitFaultExamples } from "../limits/examples";
import {
  createGroupInput,
  deleteGroupInput,
  getGroupInput,
  groupNamesInput,
  searchGroupsInput,
  setGroupLimitsInput,
  updateGroupInput,
} from "./schema";

const tag: Tag = {
  name: "Groups",
  description: "Create, list and change groups, and set the limits of every key in a group.",
};

const groupId = "6920a1f0c3d4e5f60718293a";

const noSuchGroup = {
  when: "The group does not exist.",
  examples: { noSuchGroup: failureExample("Unknown group", errors.noSuchGroup()) },
};
const nameTaken = failureExample("Name already exists", errors.groupNameTaken());

/** The endpoints of groups. */
export const groupEndpoints = {
  create: endpoint({
    method: "POST",
    path: "/v1/apikey_groups",
    operationId: "createGroup",
    tag,
    summary: "Create a group",
    description: "The name is unique within the account. A description that is not sent is the empty string.",
    status: 201,
    success: "The group has been created.",
    requests: {
      described: {
        summary: "With a description",
        value: { name: "Research", description: "Keys of the research team" },
      },
      plain: { summary: "Without a description", value: { name: "Research" } },
    },
    answer: { success: true, message: 'Group "Research" created.', group_id: groupId, group_name: "Research" },
    errors: {
      400: {
        when: "A group of this name already exists; `name` is missing, empty or longer than 128 characters; a parameter has the wrong type.",
        examples: {
          nameTaken,
          nameTooLong: faultExample("Name too long", createGroupInput, { name: "n".repeat(129) }),
          wrongType: faultExample("Wrong type", createGroupInput, { name: 5 }),
        },
      },
    },
  }),

  list: endpoint({
    method: "GET",
    path: "/v1/apikey_groups",
    tag,
    summary: "List groups",
    description: "Every group of the account, newest first.",
    success: "Every group of the account, newest first.",
  }),

  setLimits: endpoint({
    method: "POST",
    path: "/v1/apikey_groups/{group_id}/batch_budget",
    operationId: "setGroupLimits",
    tag,
    summary: "Set the limits of every key in a group",
    description:
      "At least one limit parameter is required. What is not sent stays as it is on every key, `expiry_date` too. All keys are updated, or none. With `dry_run` nothing changes, and the answer says what would happen.",
    success: "The limits have been set on every key of the group.",
    requests: {
      limits: { summary: "Set limits", value: { budget: 1000, daily_limit: 50 } },
      expiry: { summary: "Set the expiry date alone", value: { expiry_date: "2027-12-31" } },
      relative: {
        summary: "20 % more",
        value: { change: { budget: { multiply: 1.2 } }, request_id: "raise-2026-12" },
      },
    },
    answer: { success: true, message: "Limits updated on 3 API keys.", updated_count: 3, failed_count: 0 },
    errors: {
      400: {
        when:
          "No limit parameter is given; a parameter has the wrong type; a limit is negative; `expiry_date` is not a date " +
          "in the format YYYY-MM-DD; no matching key is found in the group; `request_id` was used for another change.",
        examples: {
          noMatchingKey: failureExample("No key in the group", errors.noKeyInGroup()),
          ...limitFaultExamples(setGroupLimitsInput, { group_id: groupId }),
        },
      },
    },
  }),

  search: endpoint({
    method: "GET",
    path: "/v1/apikey_groups/search",
    tag,
    summary: "Search groups",
    description:
      "A page of the groups of the account, each with the limits that its keys share, and those that new keys start with.",
    success: "A page of the groups.",
    errors: { 400: wrongInput(searchGroupsInput, { page: 0 }) },
  }),

  names: endpoint({
    method: "GET",
    path: "/v1/apikey_groups/names",
    operationId: "listGroupNames",
    tag,
    summary: "Find groups by name",
    description:
      "The ids and names of groups, in the order of their names, for choosing one. The group whose whole name is searched for comes first. It reads no keys, so it is faster than the search.",
    success: "The first groups that match.",
    errors: { 400: wrongInput(groupNamesInput, { group_ids: "research" }) },
  }),

  get: endpoint({
    method: "GET",
    path: "/v1/apikey_groups/{group_id}",
    operationId: "getGroup",
    tag,
    summary: "Read one group",
    description:
      "A group with the number of its keys, the limits that they share, and the limits that new keys start with.",
    success: "The group.",
    errors: {
      400: { ...wrongInput(getGroupInput, { group_id: "Research" }), when: "`group_id` is not a valid ObjectId." },
      404: noSuchGroup,
    },
  }),

  update: endpoint({
    method: "POST",
    path: "/v1/apikey_groups/{group_id}",
    operationId: "updateGroup",
    tag,
    summary: "Change a group",
    description:
      "Changes the name, the description, or the limits that new keys of the group start with. What is not sent stays as it is. No key changes.",
    success: "The group as it is now.",
    requests: {
      renamed: { summary: "Another name", value: { name: "Research" } },
      defaults: {
        summary: "Limits that new keys start with",
        value: { defaults: { budget: 100, daily_limit: 10 }, apply_defaults: true },
      },
      based: {
        summary: "Only if nobody has renamed it meanwhile",
        value: { name: "Science", before: { name: "Research" } },
      },
    },
    errors: {
      400: {
        when: "Nothing to change is sent; a group of this name already exists; a parameter has the wrong type.",
        examples: {
          wrongType: faultExample("Wrong type", updateGroupInput, { group_id: groupId, name: 5 }),
          nothingSent: faultExample("Nothing to change", updateGroupInput, { group_id: groupId }),
          nameTaken,
        },
      },
      404: noSuchGroup,
      409: {
        when: "What changes has another value than in `before`: somebody else has changed it meanwhile.",
        examples: { changedMeanwhile: failureExample("Changed meanwhile", errors.groupChangedMeanwhile()) },
      },
    },
  }),

  delete: endpoint({
    method: "POST",
    path: "/v1/apikey_groups/{group_id}/delete",
    operationId: "deleteGroup",
    tag,
    summary: "Delete a group",
    description: "Deletes a group without keys, or with `ungroup_keys` one with keys, which stay, in no group.",
    success: "The group is deleted.",
    errors: {
      400: wrongInput(deleteGroupInput, { group_id: groupId, ungroup_keys: "true" }),
      404: noSuchGroup,
      409: {
        when: "The group has keys, and `ungroup_keys` is not true.",
        examples: { groupHasKeys: failureExample("Group with keys", errors.groupHasKeys(3)) },
      },
    },
  }),
};
