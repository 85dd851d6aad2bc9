import { join } from "node:path";
import { profilerOptions, profilerTime, readSpending, type Spending } from "./cpu-profile";
import { type Endpoint, load } from "./load";
import { withServers } from "./servers";

/** What spends the processor time of both servers, in microseconds per request. */
export interface SpendingComparison {
  title: string;
  product: Spending;
  reference: Spending;
}

interface Window {
  from: number;
  to: number;
  requests: number;
}

const WARM_UP_SECONDS = 2;
const SECONDS = 5;

/** Runs both servers once more, under a CPU profiler, which costs some speed. */
export async function measureSpending(folder: string, endpoints: readonly Endpoint[]): Promise<SpendingComparison[]> {
  const folders = { product: join(folder, "product-profile"), reference: join(folder, "reference-profile") };
  const options = { product: profilerOptions(folders.product), reference: profilerOptions(folders.reference) };
  const loads = await withServers(folder, options, async (servers) => {
    const measured: { title: string; product: Window; reference: Window }[] = [];
    for (const endpoint of endpoints) {
      const product = await observe(servers.product, endpoint);
      measured.push({ title: endpoint.title, product, reference: await observe(servers.reference, endpoint) });
    }
    return measured;
  });
  // Profiles are written when their process ends.
  return Promise.all(
    loads.map(async ({ title, product, reference }) => ({
      title,
      product: await spendingPerRequest(folders.product, product),
      reference: await spendingPerRequest(folders.reference, reference),
    })),
  );
}

async function observe(url: string, endpoint: Endpoint): Promise<Window> {
  await load(url, endpoint, WARM_UP_SECONDS);
  const from = profilerTime();
  const { requests } = await load(url, endpoint, SECONDS);
  return { from, to: profilerTime(), requests };
}

async function spendingPerRequest(folder: string, { from, to, requests }: Window): Promise<Spending> {
  const total = await readSpending(folder, from, to);
  return new Map([...total].map(([spender, microseconds]) => [spender, microseconds / requests]));
}
