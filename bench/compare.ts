import type { Client } from "pg";
import { type Endpoint, load, type Measurement } from "./load";
import { median } from "./median";
import type { Servers } from "./servers";

/** The product and the reference server under the same load. Each figure is the median of the rounds. */
export interface Comparison {
  title: string;
  target: number | undefined;
  isTailBound: boolean;
  product: Measurement;
  reference: Measurement;
  /** Requests per second of the product divided by those of the reference. */
  ratio: number;
  /** The lowest and the highest ratio of a round. */
  spread: [number, number];
}

const ROUNDS = 3;
const ROUND_SECONDS = 5;
const WARM_UP_SECONDS = 2;

/** Loads the two in turn, so that other work on the machine slows both alike. */
export async function compare(endpoint: Endpoint, servers: Servers): Promise<Comparison> {
  await load(servers.product, endpoint, WARM_UP_SECONDS);
  await load(servers.reference, endpoint, WARM_UP_SECONDS);
  const product: Measurement[] = [];
  const reference: Measurement[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await settle(servers.client);
    product.push(await load(servers.product, endpoint, ROUND_SECONDS));
    await settle(servers.client);
    reference.push(await load(servers.reference, endpoint, ROUND_SECONDS));
  }
  const ratios = product.map(({ perSecond }, round) => perSecond / (reference[round]?.perSecond ?? 0));
  const middle = { product: medians(product), reference: medians(reference) };
  return {
    title: endpoint.title,
    target: endpoint.target,
    isTailBound: endpoint.isTailBound ?? false,
    ...middle,
    ratio: middle.product.perSecond / middle.reference.perSecond,
    spread: [Math.min(...ratios), Math.max(...ratios)],
  };
}

/** Finishes PostgreSQL's background work of the last round, so that it does not slow the next. */
export async function settle(client: Client): Promise<void> {
  await client.query("VACUUM ANALYZE");
  await client.query("CHECKPOINT");
}

function medians(rounds: readonly Measurement[]): Measurement {
  const of = (figure: keyof Measurement) => median(rounds.map((round) => round[figure]));
  return { requests: of("requests"), perSecond: of("perSecond"), p50: of("p50"), p99: of("p99") };
}
