import { settle } from "./compare";
import { median } from "./median";
import { atMost, type Part } from "./part";
import { sized } from "./quick";
import { createGroup, get, post } from "./requests";
import { seedGroup } from "./seed";
import { createAccount, type Servers, withServers } from "./servers";
import { count, table } from "./table";

/** How long it takes to set the limits of a large group, through the product and by the statement alone, and to undo it. */
interface Figures {
  keys: number;
  productMs: number;
  undoMs: number;
  statementMs: number;
}

const KEYS = sized(100_000, 2_000);
const PAIRS = sized(6, 2);
const GREATEST_RATIO = 1.3;
/** How many times as long as the change its undo may take. */
const GREATEST_UNDO_RATIO = 1.5;

/** The limits of a large group. */
export const batch: Part<Figures> = {
  name: "batch",
  measure: (folder) => withServers(folder, measure),
  report: ({ keys, productMs, undoMs, statementMs }) => `## Set the limits of a group

${table(
  [`${count(keys)} keys, with their history`, "median ms", "ratio", "target"],
  [
    [
      "product, POST /v1/apikey_groups/{group_id}/batch_budget",
      count(productMs),
      `**${(productMs / statementMs).toFixed(2)}**`,
      `≤ ${GREATEST_RATIO}`,
    ],
    ["the bare UPDATE through `pg`", count(statementMs), "1", ""],
  ],
)}

${table(
  ["undoing it", "median ms", "ratio", "target"],
  [
    [
      "POST /v1/history/{event_id}/revert",
      count(undoMs),
      `**${(undoMs / productMs).toFixed(2)}**`,
      `≤ ${GREATEST_UNDO_RATIO}`,
    ],
    ["the change", count(productMs), "1", ""],
  ],
)}`,
  targets: ({ keys, productMs, undoMs, statementMs }) => [
    atMost(`set the limits of ${count(keys)} keys: times the bare UPDATE`, productMs / statementMs, GREATEST_RATIO),
    atMost(`undo the limits of ${count(keys)} keys: times the change`, undoMs / productMs, GREATEST_UNDO_RATIO),
  ],
};

/**
 * Compares the time of POST /v1/apikey_groups/{id}/batch_budget with that of the bare UPDATE. Each moves every row to the
 * free half of the table. So they take turns to be first, and VACUUM frees the other half before each.
 */
async function measure(servers: Servers): Promise<Figures> {
  const { client } = servers;
  const { url } = servers.product;
  const apikey = await createAccount(servers, "large@example.com");
  const groupId = await createGroup(url, apikey, "Large");
  const accountId = await seedGroup(client, apikey, groupId, [], KEYS);
  const product: number[] = [];
  const undone: number[] = [];
  const statement: number[] = [];
  let amount = 1;
  const throughProduct = async () => {
    const begun = performance.now();
    const { updated_count } = await post<{ updated_count: number }>(
      `${url}/v1/apikey_groups/${groupId}/batch_budget`,
      apikey,
      { budget: amount++, daily_limit: amount },
      200,
    );
    product.push(performance.now() - begun);
    requireAll(updated_count);
  };
  const undo = async () => {
    const { data } = await get<{ data: { id: string }[] }>(`${url}/v1/history?page_size=1`, apikey);
    const begun = performance.now();
    const { updated_count } = await post<{ updated_count: number }>(
      `${url}/v1/history/${data[0]?.id}/revert`,
      apikey,
      {},
      200,
    );
    undone.push(performance.now() - begun);
    requireAll(updated_count);
  };
  const byStatement = async () => {
    const begun = performance.now();
    const { rowCount } = await client.query(
      "UPDATE api_key SET budget = $1, daily_limit = $2 WHERE account_id = $3 AND group_id = $4 AND revoked_at IS NULL",
      [amount++, amount, accountId, groupId],
    );
    statement.push(performance.now() - begun);
    requireAll(rowCount);
  };
  for (let pair = 0; pair < PAIRS; pair++) {
    const byProduct = [throughProduct, undo];
    for (const update of pair % 2 === 0 ? [...byProduct, byStatement] : [byStatement, ...byProduct]) {
      await settle(client);
      await update();
    }
  }
  return { keys: KEYS, productMs: median(product), undoMs: median(undone), statementMs: median(statement) };
}

function requireAll(updated: number | null): void {
  if (updated !== KEYS) throw new Error(`${updated} keys were updated, not ${KEYS}`);
}
