import { endpoint, failureExample, faultExample, type Tag } from "../endpoint";
import { errors } from "../errors/catalogue";
import { accountSettings } from "./schema";

const tag: Tag = { name: "Account", description: "Read the account and change its settings." };

/** The endpoints of the account. */
export const accountEndpoints = {
  me: endpoint({
    method: "GET",
    path: "/v1/account",
    operationId: "getAccount",
    tag,
    summary: "Read the account",
    description: "The account that the default key belongs to.",
    success: "The account.",
  }),

  firstSteps: endpoint({
    method: "GET",
    path: "/v1/account/first_steps",
    operationId: "getFirstSteps",
    tag,
    summary: "Read what a new account has done",
    description: "What a new account does first, and which of it is done.",
    success: "Each step, and whether it is done.",
  }),

  updateSettings: endpoint({
    method: "POST",
    path: "/v1/account",
    operationId: "updateAccount",
    tag,
    summary: "Change settings of the account",
    description:
      "At least one setting is required. What is not sent stays as it is. Days and months of limits begin and end in the new time zone from now on.",
    success: "The settings have been changed. The answer holds the account as it stands now.",
    errors: {
      400: {
        when: "No setting is sent; a setting has the wrong type or value; the time zone is unknown.",
        examples: {
          wrongType: faultExample("Wrong type", accountSettings, { time_zone: 8 }),
          nothingSent: faultExample("Nothing to change", accountSettings, {}),
          unknownTimeZone: failureExample("Unknown time zone", errors.unknownTimeZone()),
        },
      },
    },
  }),
};
