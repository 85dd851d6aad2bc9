import { type Account, call } from "./client";

/** A price for each name that has no other, so that the operator's catalogue, which specs share, does not count. */
export const REST = { name: "*", input_price: 1_000, output_price: 1_000 };

/** Sets prices of an account's own. */
export async function setPrices({ apikey: key }: Account, models: object[]): Promise<void> {
  const { status, body } = await call("POST", "/v1/models", { key, body: { models } });
  if (status !== 200) throw new Error(body.error);
}
