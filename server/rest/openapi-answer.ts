import type { IncomingMessage, ServerResponse } from "node:http";
import { answerFixedBody, type FixedBody, makeFixedBody } from "../fixed-body";
import { apiDocument } from "./openapi";

const HEADERS = { "Content-Type": "application/json", "Cache-Control": "no-cache" };

/** Made by the first request, for all. */
let made: Promise<FixedBody> | undefined;

/**
 * Answers `/openapi.json`, compressed where the client takes that, and with 304 where it has the document already.
 * @returns the status.
 */
export async function answerApiDocument(request: IncomingMessage, response: ServerResponse): Promise<number> {
  made ??= apiDocument().then((text) => makeFixedBody(Buffer.from(text)));
  return answerFixedBody(request, response, await made, HEADERS);
}
