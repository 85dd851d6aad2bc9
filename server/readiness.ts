import type { ServerResponse } from "node:http";
import { type Outage, outage } from "./db/outage";
import { writePlain } from "./plain-answer";
import type { Handled } from "./rest/handler";

/** Whether the process can serve. It cannot until something that knows is asked. */
export class Readiness {
  #check: () => Promise<Outage | undefined> = async () => outage("starting");

  /** From now on this function is asked. It answers within a second. */
  follow(check: () => Promise<Outage | undefined>): void {
    this.#check = check;
  }

  /** Why the process cannot serve at this moment; undefined where it can. */
  check(): Promise<Outage | undefined> {
    return this.#check();
  }
}

const HEALTH_PATH = "/healthz";
const READINESS_PATH = "/readyz";
export const PROBES = [HEALTH_PATH, READINESS_PATH];

/**
 * Answers `/healthz`, which is 200 while the process runs, and `/readyz`, which is 503 with the cause while it cannot serve.
 * @returns undefined for any other path, which is not answered.
 */
export function answerProbe(
  path: string,
  response: ServerResponse,
  readiness: Readiness,
): Promise<Handled> | undefined {
  if (path === HEALTH_PATH) return Promise.resolve(writePlain(response, 200, "text/plain", "ok\n", path));
  if (path === READINESS_PATH) return readiness.check().then((found) => writeReadiness(response, found, path));
  return undefined;
}

function writeReadiness(response: ServerResponse, found: Outage | undefined, path: string): Handled {
  const body = found ? { status: "not ready", ...found } : { status: "ready" };
  return writePlain(response, found ? 503 : 200, "application/json", `${JSON.stringify(body)}\n`, path);
}
