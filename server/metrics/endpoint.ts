import { hash, timingSafeEqual } from "node:crypto";
import { register } from "prom-client";

const BEARER = /^bearer +(\S+) *$/i;

/** `GET /metrics`, for Prometheus. */
export class MetricsEndpoint {
  readonly contentType = register.contentType;
  readonly #token: Buffer | undefined;

  /**
   * @param token what a reader must send. Undefined: whoever reaches the port may read.
   * @param text all metrics, as text, of this process or of all workers. The database need not be there.
   */
  constructor(
    token: string | undefined,
    private readonly text: () => Promise<string>,
  ) {
    this.#token = token === undefined ? undefined : hashOf(token);
  }

  /** Whether a request with this `Authorization` header may read the metrics. Every wrong token takes the same time. */
  mayRead(authorization: string | undefined): boolean {
    if (this.#token === undefined) return true;
    return timingSafeEqual(this.#token, hashOf(BEARER.exec(authorization ?? "")?.[1] ?? ""));
  }

  read(): Promise<string> {
    return this.text();
  }
}

function hashOf(token: string): Buffer {
  return hash("sha256", token, "buffer");
}
