// The limits as the API has them. Specs that compare whole answers take them from here, so that a limit of a new kind
// is added in one place.

/** The limits of a key that has none. */
export const UNSET = {
  budget: null,
  expiry_date: null,
  daily_limit: null,
  monthly_limit: null,
  input_price_limit: null,
  output_price_limit: null,
};

/** A value for each limit. */
export const EVERY_LIMIT = {
  budget: 100,
  expiry_date: "2030-12-31",
  daily_limit: 10,
  monthly_limit: 50,
  input_price_limit: 8,
  output_price_limit: 24.5,
};

/** What a request without a limit is answered. */
export const NO_LIMIT_GIVEN = `at least one limit parameter is required: ${Object.keys(UNSET).join(", ")}`;

/** The names of the limits that are amounts. */
export const AMOUNTS = Object.keys(UNSET).filter((name) => name !== "expiry_date");
