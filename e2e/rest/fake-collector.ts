import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A span as a collector gets it. Numbers of kinds are those of OTLP: 2 is a server, 3 is a client. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentId: string;
  name: string;
  kind: number;
  attributes: Record<string, string | number>;
  /** The ids of the spans that it is linked to. */
  links: string[];
}

/** What collects traces, on a port of its own. */
export interface Collector {
  url: string;
  /** Everything that it has got, as bytes. */
  received(): Buffer;
  spans(): CollectedSpan[];
  close(): void;
}

/** Starts a collector that takes traces in the protobuf form of OTLP, uncompressed. */
export async function startCollector(): Promise<Collector> {
  const bodies: Buffer[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    bodies.push(Buffer.concat(chunks));
    response.writeHead(200, { "Content-Type": "application/x-protobuf" }).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => Buffer.concat(bodies),
    spans: () => bodies.flatMap(spansOf),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The fields of a message by their number: bytes, or a number. */
type Message = Map<number, (Buffer | number)[]>;

function readMessage(bytes: Buffer): Message {
  const fields: Message = new Map();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(value);
    }
  };
  const take = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = varint();
    const wire = tag & 7;
    const value = wire === 0 ? varint() : take(wire === 1 ? 8 : wire === 5 ? 4 : varint());
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}

function messagesAt(message: Message, field: number): Message[] {
  return (message.get(field) ?? []).map((value) => readMessage(value as Buffer));
}

function textAt(message: Message, field: number, encoding: "utf8" | "hex" = "utf8"): string {
  const value = message.get(field)?.[0];
  return Buffer.isBuffer(value) ? value.toString(encoding) : "";
}

/** The numbers of the fields are those of opentelemetry/proto/trace/v1. */
function spansOf(body: Buffer): CollectedSpan[] {
  const scopes = messagesAt(readMessage(body), 1).flatMap((resource) => messagesAt(resource, 2));
  return scopes
    .flatMap((scope) => messagesAt(scope, 2))
    .map((span) => ({
      traceId: textAt(span, 1, "hex"),
      spanId: textAt(span, 2, "hex"),
      parentId: textAt(span, 4, "hex"),
      name: textAt(span, 5),
      kind: Number(span.get(6)?.[0]),
      attributes: Object.fromEntries(messagesAt(span, 9).map((pair) => [textAt(pair, 1), attributeOf(pair)])),
      links: messagesAt(span, 13).map((link) => textAt(link, 2, "hex")),
    }));
}

function attributeOf(pair: Message): string | number {
  const [value = new Map()] = messagesAt(pair, 2) as Message[];
  return value.has(1) ? textAt(value, 1) : Number(value.get(3)?.[0]);
}
