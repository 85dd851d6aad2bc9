import { type MetricValues, metricsTextOf } from "../metrics/registry";

/** A worker that takes longer is left out, because whoever scrapes waits. */
const LONGEST_MS = 2_000;

/** Collects the metrics of all workers, once for each scrape. */
export class Scrapes {
  readonly #open = new Map<number, { values: MetricValues[]; expected: number; finish: () => void }>();
  #scrapes = 0;

  /**
   * The metrics of so many workers as text.
   * @param ask asks each of them.
   */
  async collect(workers: number, ask: (scrape: number) => void): Promise<string> {
    const scrape = this.#scrapes++;
    const values: MetricValues[] = [];
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LONGEST_MS);
      const finish = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#open.set(scrape, { values, expected: workers, finish });
      ask(scrape);
    });
    this.#open.delete(scrape);
    return metricsTextOf(values);
  }

  /** Takes the answer of a worker. */
  add(scrape: number, values: MetricValues): void {
    const open = this.#open.get(scrape);
    if (!open) return;
    open.values.push(values);
    if (open.values.length >= open.expected) open.finish();
  }
}
