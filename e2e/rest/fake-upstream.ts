import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** One request as the fake service got it. */
export interface Exchange {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  // biome-ignore lint/suspicious/noExplicitAny: each spec checks the shape that it expects.
  body: any;
  response: ServerResponse;
}

/** An OpenAI-compatible service. The test decides what it answers. */
export interface FakeUpstream {
  /** Base address, with `/v1`. */
  url: string;
  /** Every request so far, the latest last. */
  exchanges: Exchange[];
  /** Sets how each request is answered from now on. */
  answerWith(answer: (exchange: Exchange) => unknown): void;
  close(): Promise<void>;
}

export const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

export async function startUpstream(): Promise<FakeUpstream> {
  const exchanges: Exchange[] = [];
  let answer: (exchange: Exchange) => unknown = answerWhole;
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    const exchange = { method, url, headers, response, body: method === "POST" ? await json(request) : undefined };
    exchanges.push(exchange);
    await answer(exchange);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    exchanges,
    answerWith(next) {
      answer = next;
    },
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Sends the whole answer at once. */
export function answerWhole({ response, body }: Exchange): void {
  const message = { role: "assistant", content: "Good morning." };
  answerJson(response, 200, { id: "c1", model: body?.model, choices: [{ index: 0, message }], usage: USAGE });
}

export function answerJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** Begins a stream of events, and returns a function that writes pieces of events to it. */
export function beginStream({ response }: Exchange): (...pieces: string[]) => Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
  return async (...pieces) => {
    for (const piece of pieces) {
      // Waits until the piece is sent, so that two pieces do not go out as one.
      await new Promise<void>((resolve) => response.write(piece, () => resolve()));
    }
  };
}

/** An event with a part of the answer. */
export function eventOf(content: string): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }], usage: null })}\n\n`;
}

export const USAGE_EVENT = `data: ${JSON.stringify({ choices: [], usage: USAGE })}\n\n`;
export const DONE_EVENT = "data: [DONE]\n\n";
