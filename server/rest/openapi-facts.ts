/** An example answer or request, with the line that introduces it in the reference. */
export type Examples = Record<string, { summary: string; value: unknown }>;

/** What the metadata of a procedure of the contract does not hold: examples that fit together, and the errors it names. */
export interface OperationFacts {
  success: string;
  request?: Examples;
  /** Absent where the answer has no body. */
  response?: object;
  errors: { 400?: Fault; 401?: Fault; 403?: Fault; 404?: Fault; 500?: Fault };
}

interface Fault {
  when: string;
  examples: Examples;
  /** Those of this answer's own. */
  headers?: string[];
}

const NOTHING_SET = {
  budget: null,
  expiry_date: null,
  daily_limit: null,
  monthly_limit: null,
  input_price_limit: null,
  output_price_limit: null,
};

const NO_LIMIT_GIVEN = failure(
  "No limit parameter",
  "at least one limit parameter is required: budget, expiry_date, daily_limit, monthly_limit, input_price_limit, output_price_limit",
);
export const WRONG_TYPE = failure("Wrong type", "budget: expected number (int or float), received string");
const NEGATIVE = failure("Negative value", "budget: must be 0 or more; 0 means no limit");
const WRONG_DATE_FORMAT = failure("Wrong date format", "expiry_date: must be a date in the format YYYY-MM-DD");

export const FACTS: Record<string, OperationFacts> = {
  "keys.create": {
    success: "The key has been created.",
    request: {
      limited: {
        summary: "With limits",
        value: { name: "production", budget: 1000, daily_limit: 50, expiry_date: "2027-12-31" },
      },
      unlimited: { summary: "Without limits", value: { name: "production" } },
      grouped: {
        summary: "In a group",
        value: { name: "production", group_id: "6920a1f0c3d4e5f60718293a", monthly_limit: 500 },
      },
    },
    response: {
      success: true,
      message: "API key created.",
      apikey: "sk-AbC1234Zk3vWq8sT1nRb5yHd7mPx9cLf2gJe4uO0oZJvh",
      name: "production",
      group_id: null,
      ...NOTHING_SET,
      budget: 1000,
      expiry_date: "2027-12-31",
      daily_limit: 50,
    },
    errors: {
      400: {
        when:
          "`name` is missing, empty or longer than 128 characters; a parameter has the wrong type; `group_id` is not a " +
          "valid ObjectId or names no existing group; a limit is negative or not a number; `expiry_date` is not a date " +
          "in the format YYYY-MM-DD.",
        examples: {
          wrongType: WRONG_TYPE,
          nameEmpty: failure("Empty name", "name: must not be empty"),
          noSuchGroup: failure("Unknown group", "group_id: names no existing group"),
        },
      },
      500: {
        when: "The creation failed inside the service.",
        examples: {
          creationFailed: failure(
            "Creation failed",
            "creation failed: the API key was not created because of an internal failure",
          ),
        },
      },
    },
  },
  "keys.setLimits": {
    success: "The limits have been set. The answer holds all six as they stand now.",
    request: {
      limits: {
        summary: "Set limits and an expiry date",
        value: { budget: 1000, daily_limit: 50, expiry_date: "2027-12-31" },
      },
      noLimit: { summary: "Lift one limit, clear the expiry date", value: { budget: 0 } },
    },
    response: {
      success: true,
      message: "Limits of sk-AbC1234 updated: budget 1000.0000 yuan, expiry date 2027-12-31, daily limit 50.0000 yuan.",
      ...NOTHING_SET,
      budget: 1000,
      expiry_date: "2027-12-31",
      daily_limit: 50,
    },
    errors: {
      400: {
        when:
          "No limit parameter is given; a parameter has the wrong type; a limit is negative; `expiry_date` is not a date " +
          "in the format YYYY-MM-DD.",
        examples: {
          noLimitGiven: NO_LIMIT_GIVEN,
          wrongType: WRONG_TYPE,
          negative: NEGATIVE,
          wrongDateFormat: WRONG_DATE_FORMAT,
        },
      },
      404: {
        when: "The key does not exist.",
        examples: { noSuchKey: failure("Unknown key", "apikey_id: the API key does not exist") },
      },
    },
  },
  "groups.create": {
    success: "The group has been created.",
    request: {
      described: {
        summary: "With a description",
        value: { name: "Research", description: "Keys of the research team" },
      },
      plain: { summary: "Without a description", value: { name: "Research" } },
    },
    response: {
      success: true,
      message: 'Group "Research" created.',
      group_id: "6920a1f0c3d4e5f60718293a",
      group_name: "Research",
    },
    errors: {
      400: {
        when: "A group of this name already exists; `name` is missing, empty or longer than 128 characters; a parameter has the wrong type.",
        examples: {
          nameTaken: failure("Name already exists", "name: a group of this name already exists"),
          nameTooLong: failure("Name too long", "name: must be at most 128 characters long"),
          wrongType: failure("Wrong type", "name: expected string, received number"),
        },
      },
    },
  },
  "groups.list": {
    success: "Every group of the account, newest first.",
    response: {
      object: "list",
      data: [
        {
          id: "6920a1f0c3d4e5f60718293a",
          name: "Research",
          description: "Keys of the research team",
          created_at: 1795219200,
          updated_at: 1795219200,
          apikey_count: 3,
        },
      ],
    },
    errors: {},
  },
  "groups.setLimits": {
    success: "The limits have been set on every key of the group.",
    request: {
      limits: { summary: "Set limits", value: { budget: 1000, daily_limit: 50 } },
      expiry: { summary: "Set the expiry date alone", value: { expiry_date: "2027-12-31" } },
    },
    response: { success: true, message: "Limits updated on 3 API keys.", updated_count: 3, failed_count: 0 },
    errors: {
      400: {
        when:
          "No limit parameter is given; a parameter has the wrong type; a limit is negative; `expiry_date` is not a date " +
          "in the format YYYY-MM-DD; no matching key is found in the group.",
        examples: {
          noMatchingKey: failure("No key in the group", "group_id: no matching key found in the group"),
          noLimitGiven: NO_LIMIT_GIVEN,
          wrongType: WRONG_TYPE,
          negative: NEGATIVE,
          wrongDateFormat: WRONG_DATE_FORMAT,
        },
      },
    },
  },
  "authorizations.check": {
    success: "What would be answered now.",
    request: {
      byValue: {
        summary: "By the value of the key",
        value: { apikey: "sk-AbC1234Zk3vWq8sT1nRb5yHd7mPx9cLf2gJe4uO0oZJvh", amount: 2.5, input_price: 8 },
      },
      byId: { summary: "By its id, with the default key", value: { apikey_id: "sk-AbC1234", amount: 2.5 } },
    },
    response: {
      success: true,
      allowed: false,
      code: "budget",
      message: "The total budget does not allow 2.5000 yuan: 1.0000 yuan are left.",
      apikey_id: "sk-AbC1234",
      limits: [
        { code: "budget", passes: false, limit: 100, spent: 95, held: 4, available: 1, needed: 101.5 },
        { code: "daily_limit", passes: true, limit: null, spent: 10, held: 4, available: null, needed: 16.5 },
      ],
      change: "Raise the total budget from 100.0000 to 101.5000 yuan.",
    },
    errors: {
      400: {
        when: "A parameter is missing, or has the wrong type or value; not exactly one of `apikey` and `apikey_id` is sent.",
        examples: {
          neither: failure("No key, or two", "apikey: exactly one of apikey and apikey_id is required"),
          wrongType: failure("Wrong type", "amount: expected number (int or float), received string"),
        },
      },
    },
  },
  "authorizations.checkByHeaders": {
    success: "The call would be authorized now.",
    errors: {
      400: {
        when: "`Allowance-Amount` is missing, or a header has the wrong type or value.",
        examples: {
          noAmount: failure("No amount", "Allowance-Amount: expected number (int or float), received nothing"),
          negative: failure("Negative value", "Allowance-Amount: must be 0 or more"),
        },
      },
      401: {
        when: "The caller's key is missing, does not exist, is disabled or has expired; or the gateway's own is not valid.",
        examples: {
          noSuchKey: failure("Caller's key", "The API key does not exist."),
          invalidKey: failure("Gateway's key", "API key missing or invalid"),
        },
        headers: ["WWW-Authenticate", "Allowance-Code"],
      },
      403: {
        when: "A limit of the caller's key does not allow the call; or the gateway's own key is not the default key.",
        examples: {
          overBudget: failure("Over the limit", "The total budget does not allow 2.5000 yuan: 1.0000 yuan are left."),
          otherKey: failure("Gateway's key", "only the default API key of the account may perform this operation"),
        },
        headers: ["Allowance-Code"],
      },
    },
  },
};

/** An error in the contract's shape, as an example. */
export function failure(summary: string, error: string): { summary: string; value: { success: false; error: string } } {
  return { summary, value: { success: false, error } };
}
