import type { Client } from "pg";
import { type Endpoint, load, type Measurement } from "./load";
import { median } from "./median";
import { atLeast, type Target } from "./part";
import { sized } from "./quick";
import type { Server } from "./servers";
import { count, table } from "./table";

/** What one of the two is loaded with. */
interface Side {
  url: string;
  endpoint: Endpoint;
}

/** A server and what it is loaded with. */
export function on({ url }: Server, endpoint: Endpoint): Side {
  return { url, endpoint };
}

/** What the ratio of a comparison must reach. */
export interface Bounds {
  /** Requests per second of the product divided by those of the reference are at least this. */
  least?: number;
  /** Whether the 99th percentile of the latency must not be above that of the reference. */
  isTailBound?: boolean;
}

/** The product and the reference server under the same load. Each figure is the median of the rounds. */
export interface Comparison extends Bounds {
  title: string;
  product: Measurement;
  reference: Measurement;
  /** Requests per second of the product divided by those of the reference: the median of the rounds. */
  ratio: number;
  /** The lowest and the highest ratio of a round. */
  spread: [number, number];
}

const ROUNDS = 3;
const ROUND_SECONDS = sized(5, 0.5);
const WARM_UP_SECONDS = sized(3, 0.5);

/** Loads the two in turn, so that other work on the machine slows both alike. */
export async function compare(client: Client, product: Side, reference: Side, bounds: Bounds): Promise<Comparison> {
  for (const { url, endpoint } of [product, reference]) await load(url, endpoint, { seconds: WARM_UP_SECONDS });
  const rounds: { product: Measurement; reference: Measurement }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const measured = [];
    for (const { url, endpoint } of [product, reference]) {
      await settle(client);
      measured.push(await load(url, endpoint, { seconds: ROUND_SECONDS }));
    }
    const [ofProduct, ofReference] = measured;
    if (ofProduct && ofReference) rounds.push({ product: ofProduct, reference: ofReference });
  }
  const ratios = rounds.map((round) => round.product.perSecond / round.reference.perSecond);
  return {
    title: product.endpoint.title,
    ...bounds,
    product: medians(rounds.map((round) => round.product)),
    reference: medians(rounds.map((round) => round.reference)),
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
  };
}

/** Finishes PostgreSQL's background work of the last round, so that it does not slow the next. */
export async function settle(client: Client): Promise<void> {
  await client.query("VACUUM ANALYZE");
  await client.query("CHECKPOINT");
}

/** The comparisons as a table. @param names what the two that are compared are called. */
export function comparisonTable(
  comparisons: readonly Comparison[],
  [one, other]: readonly [string, string] = ["product", "reference"],
): string {
  const rows = comparisons.flatMap(({ title, least, product, reference, ratio, spread: [lowest, highest] }) => {
    const figures = (of: Measurement) => [count(of.perSecond), of.p50.toFixed(1), of.p99.toFixed(1)];
    const rounds = `${lowest.toFixed(2)} to ${highest.toFixed(2)}`;
    return [
      [title, one, ...figures(product), `**${ratio.toFixed(2)}**`, rounds, least ? `≥ ${least}` : ""],
      ["", other, ...figures(reference), "1", "", ""],
    ];
  });
  return table(["request", "server", "requests/s", "p50 ms", "p99 ms", "ratio", "in the rounds", "target"], rows);
}

/** The targets of some comparisons. */
export function comparisonTargets(comparisons: readonly Comparison[], what = "ratio to the reference"): Target[] {
  return comparisons.flatMap(({ title, least, isTailBound, product, reference, ratio }) => [
    ...(least === undefined ? [] : [atLeast(`${title}: ${what}`, ratio, least)]),
    ...(isTailBound ? [tailTarget(title, product, reference)] : []),
  ]);
}

function tailTarget(title: string, product: Measurement, reference: Measurement): Target {
  const bound = `≤ ${reference.p99.toFixed(1)} ms, as the reference`;
  return { title: `${title}: p99`, value: `${product.p99.toFixed(1)} ms`, bound, isMet: product.p99 <= reference.p99 };
}

function medians(rounds: readonly Measurement[]): Measurement {
  const of = (figure: keyof Measurement) => median(rounds.map((round) => round[figure]));
  return {
    requests: of("requests"),
    perSecond: of("perSecond"),
    p50: of("p50"),
    p99: of("p99"),
    longest: of("longest"),
  };
}
