import type { IncomingMessage, ServerResponse } from "node:http";
import { type Outage, outage } from "./db/outage";
import { READING, refuseOtherMethod, writePlain } from "./plain-answer";
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
/** HAProxy asks with `OPTIONS` where its configuration names no method. */
const METHODS = [...READING, "OPTIONS"];

/**
 * Answers `/healthz`, which is 200 while the process runs, and `/readyz`, which is 503 with the cause while it cannot serve.
 * @returns undefined for any other path, which is not answered.
 */
export function answerProbe(
  request: IncomingMessage,
  path: string,
  response: ServerResponse,
  readiness: Readiness,
): Promise<Handled> | Handled | undefined {
  if (!PROBES.includes(path)) return undefined;
  const refused = refuseOtherMethod(request, response, path, METHODS);
  if (refused) return refused;
  if (path === HEALTH_PATH) return writePlain(response, 200, "text/plain", "ok\n", path);
  return readiness.check().then((found) => writeReadiness(response, found, path));
}

function writeReadiness(response: ServerResponse, found: Outage | undefined, path: string): Handled {
  const body = found ? { status: "not ready", ...found } : { status: "ready" };
  return writePlain(response, found ? 503 : 200, "application/json", `${JSON.stringify(body)}\n`, path);
}
