import type { DatabaseUrls } from "../config";
import type { MetricValues } from "../metrics/registry";
import type { RateState } from "../rate-limit";

/** What the primary process sends to a worker. */
export type ToWorker =
  /** The answer to `hello`. Numbers of workers begin with 1; the one that takes the place of another has its number. */
  | { kind: "begin"; number: number }
  /** The database has its migrations, or could not be reached. The worker asks for itself. */
  | { kind: "serve"; database: DatabaseUrls }
  | { kind: "greet" }
  /** What the requests of `ask` have left, in their order. */
  | { kind: "counted"; ask: number; states: RateState[] }
  /** Asks for the metrics of this worker. */
  | { kind: "measure"; scrape: number }
  /** The metrics of all workers as text. */
  | { kind: "metrics"; ask: number; text: string }
  | { kind: "stop" };

/** What a worker sends to the primary process. */
export type ToPrimary =
  /** The first message: it hears messages from now on. Earlier ones are lost. */
  | { kind: "hello" }
  /** It answers requests. */
  | { kind: "ready" }
  /** The database, which was away at the start, has its migrations now. */
  | { kind: "migrated" }
  /** It cannot start, for a reason that a new start does not change. */
  | { kind: "failed"; message: string; isSetting: boolean }
  /** The answer to `greet`: text for the terminal. */
  | { kind: "greeting"; text: string }
  /** Counts a request of each name. */
  | { kind: "count"; ask: number; names: string[] }
  /** Asks for the metrics of all workers. */
  | { kind: "scrape"; ask: number }
  /** The answer to `measure`. */
  | { kind: "measured"; scrape: number; values: MetricValues };

/** Whether a message is one of these. Packages send messages of their own. */
export function isMessage<Message extends { kind: string }>(message: unknown): message is Message {
  return message instanceof Object && "kind" in message && typeof message.kind === "string";
}
