import { createServer, type Socket } from "node:net";
import { onClose } from "./closers";
import { type Comparison, compare, comparisonTable, comparisonTargets, on } from "./compare";
import { authorizeAndCapture, inTurn } from "./endpoints";
import { type Endpoint, requestOf } from "./load";
import type { Part } from "./part";
import { type Servers, startGateway, withServers } from "./servers";
import { seedSpenders } from "./spend";

/** 1,000 calls a second, where the reference makes 1,400 requests a second. */
const LEAST_RATIO = 0.71;
/** A model in the operator's catalogue. */
const MODEL = "gateway-model";
const HEAD_END = Buffer.from("\r\n\r\n");

interface Figures {
  comparison: Comparison;
}

/** Calls through the example gateway, in front of a service that answers at once. */
export const gateway: Part<Figures> = {
  name: "gateway",
  measure: (folder) => withServers(folder, measure),
  report: ({ comparison }) => `## The example gateway

Calls through \`examples/gateway/gateway.mjs\` (an authorization by model, a line in the journal on disk, the service
behind, another line, a capture by usage) in front of a service that answers at once. The reference is the plain server
alone: its authorizations and captures, each counted as a request. Gateway, product, PostgreSQL, service and load share
the cores.

${comparisonTable([comparison])}`,
  targets: ({ comparison }) => comparisonTargets([comparison]),
};

async function measure(servers: Servers): Promise<Figures> {
  const { client, reference } = servers;
  const keys = await seedSpenders(servers);
  await client.query(
    `WITH written AS (
        INSERT INTO operator_price (id, name, aliases, input_price, output_price) VALUES (repeat('1', 24), $1, '{}', 0.8, 2)
      ) UPDATE operator_catalogue SET prices_version = prices_version + 1`,
    [MODEL],
  );
  const calls = on(await startGateway(servers, await startUpstream()), complete(keys));
  const requests = on(reference, authorizeAndCapture("authorize and capture", keys));
  return { comparison: await compare(client, calls, requests, { least: LEAST_RATIO }) };
}

/** A completion for each of some keys in turn. */
function complete(apikeys: readonly string[]): Endpoint {
  const next = inTurn(apikeys);
  const body = { model: MODEL, messages: [{ role: "user", content: "Good morning!" }], max_tokens: 100 };
  return {
    title: "completion through the gateway",
    *converse() {
      for (;;) yield { text: requestOf("POST", "/v1/chat/completions", next(), body), status: 200 };
    },
  };
}

/** Starts an OpenAI-compatible service that answers each request at once, and returns its address. */
async function startUpstream(): Promise<string> {
  const message = { role: "assistant", content: "Good morning to you." };
  const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
  const body = JSON.stringify({ id: "c1", model: MODEL, choices: [{ index: 0, message }], usage });
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const server = createServer({ noDelay: true }, (socket) => answerEach(socket, head + body));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onClose(async () => server.close());
  const address = server.address();
  return `http://127.0.0.1:${address instanceof Object ? address.port : 0}/v1`;
}

/** Answers each request of a connection with the same text, when its body is complete. */
function answerEach(socket: Socket, answer: string): void {
  let received = Buffer.alloc(0);
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    const end = received.indexOf(HEAD_END);
    if (end === -1) return;
    const [, length = "0"] = /\r\ncontent-length: *(\d+)/i.exec(received.toString("latin1", 0, end)) ?? [];
    const size = end + HEAD_END.length + Number(length);
    if (received.length < size) return;
    received = received.subarray(size);
    socket.write(answer);
  });
}
