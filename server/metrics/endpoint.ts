import { hash, timingSafeEqual } from "node:crypto";
import { register } from "prom-client";
import type { DatabaseFigures } from "./database";
import { metricsText } from "./registry";

const BEARER = /^bearer +(\S+) *$/i;

/** Who may read the metrics, and what is asked when they are read. */
export interface MetricsOptions {
  /** The token that a reader must send. Undefined: whoever reaches the port may read. */
  token: string | undefined;
  database: DatabaseFigures;
}

/** `GET /metrics`, for Prometheus. */
export class MetricsEndpoint {
  readonly contentType = register.contentType;
  readonly #token: Buffer | undefined;

  constructor(private readonly options: MetricsOptions) {
    this.#token = options.token === undefined ? undefined : hashOf(options.token);
  }

  /** Whether a request with this `Authorization` header may read the metrics. Every wrong token takes the same time. */
  mayRead(authorization: string | undefined): boolean {
    if (this.#token === undefined) return true;
    return timingSafeEqual(this.#token, hashOf(BEARER.exec(authorization ?? "")?.[1] ?? ""));
  }

  /** All metrics, as text. The database need not be there. */
  async read(): Promise<string> {
    await this.options.database.refresh();
    return metricsText();
  }
}

function hashOf(token: string): Buffer {
  return hash("sha256", token, "buffer");
}
