import type { Socket } from "node:net";
import { FastAnswer } from "./answer";
import { type FastRequest, RequestReader } from "./request";

/** Codes of Node.js: no request has arrived in time, or the client has ended in the middle of one. */
type Malformation = "ERR_HTTP_REQUEST_TIMEOUT" | "HPE_INVALID_EOF_STATE";

/** A client may use the connection until the last moment of the time it was told, and its request takes a while. */
const LATE_MS = 1_000;

/** What a connection asks of the port that accepted it. */
export interface Port {
  /** Whether requests may take the fast path now. */
  isOpen(): boolean;
  /** Whether the fast path takes a `GET` of this path. It cannot send an answer in parts. */
  takesGet(path: string): boolean;
  /** The first bytes of a request have arrived. `finish` follows. */
  begin(): void;
  /** Answers a request. */
  serve(request: FastRequest, answer: FastAnswer): void;
  /** A request was answered, or `node:http` gets it. */
  finish(): void;
  /** Gives the connection to `node:http`, with what it has to read first. */
  handOver(bytes: Buffer): void;
  /** Answers that no request arrived in time, or that it broke off, and ends the connection. */
  refuse(code: Malformation): void;
  /** Milliseconds within which the first request must arrive. */
  headersTimeout: number;
  /** Milliseconds for which the fast path waits for the rest of a body. */
  restTimeout: number;
  /** Milliseconds for which a client is told that its connection stays open without a request. */
  keepAliveTimeout: number;
}

/**
 * Reads a connection request by request, answers those of the fast path one after the other, and gives the connection to
 * `node:http` for good with the first request that is none (docs/decisions/fast-path.md).
 */
export function serveConnection(socket: Socket, port: Port): void {
  const reader = new RequestReader({ remoteAddress: socket.remoteAddress }, port.takesGet);
  const idleTimeout = port.keepAliveTimeout + LATE_MS;
  const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(port.keepAliveTimeout / 1000)}\r\n`;
  let isUnderWay = false;
  let hasServed = false;
  /** Whether the client sends nothing more. */
  let hasEnded = false;
  /** The first piece of a request that arrives in two. */
  let begun: Buffer | undefined;

  const take = (bytes: Buffer) => {
    if (isUnderWay) {
      // The socket keeps the bytes, so that the end of the client is read behind them.
      socket.pause();
      socket.unshift(bytes);
      return;
    }
    if (begun === undefined) port.begin();
    const whole = begun === undefined ? bytes : Buffer.concat([begun, bytes]);
    // `node:http` waits for clients that do not take their answers.
    const request = port.isOpen() && !socket.writableNeedDrain ? reader.read(whole) : "other";
    if (request === "incomplete" && begun === undefined) {
      begun = whole;
      socket.setTimeout(port.restTimeout);
      return;
    }
    if (typeof request === "string") return handOver(whole);
    if (begun !== undefined) socket.setTimeout(hasServed ? idleTimeout : port.headersTimeout);
    begun = undefined;
    isUnderWay = true;
    port.serve(request, new FastAnswer(keepAlive, send, () => socket.destroy()));
  };
  const send = (text: string) => {
    if (socket.writable) socket.write(text);
    if (!hasServed) socket.setTimeout(idleTimeout);
    hasServed = true;
    isUnderWay = false;
    port.finish();
    if (socket.destroyed) return;
    if (hasEnded) socket.end();
    // The socket gives the next request later: it is no part of the work on this one, and nothing that it throws belongs there.
    else if (socket.isPaused()) socket.resume();
  };
  const end = () => {
    hasEnded = true;
    if (begun !== undefined) refuse("HPE_INVALID_EOF_STATE");
    else if (!isUnderWay) socket.end();
  };
  const timeOut = () => {
    // From here on `node:http` measures how long the rest takes, and an answer that needs no body does not wait for it.
    if (begun !== undefined) return handOver(begun);
    // An answer is made, or the client is slow to take it.
    if (isUnderWay || socket.writableLength > 0) return;
    // Where the process stood still, its timers come before what has arrived meanwhile. That is read first.
    const { bytesRead } = socket;
    setImmediate(() => {
      if (socket.destroyed || hasEnded || socket.bytesRead > bytesRead) return;
      if (hasServed) socket.destroy();
      else refuse("ERR_HTTP_REQUEST_TIMEOUT");
    });
  };
  const refuse = (code: Malformation) => {
    // A request that crosses the refusal must not be worked on: the client will repeat it.
    socket.off("data", take).resume();
    begun = undefined;
    port.refuse(code);
  };
  const fail = () => socket.destroy();
  const handOver = (bytes: Buffer) => {
    socket.off("data", take).off("end", end).off("timeout", timeOut).off("error", fail);
    socket.setTimeout(0);
    port.finish();
    port.handOver(bytes);
  };

  socket.on("data", take).on("end", end).on("timeout", timeOut).on("error", fail);
  socket.setTimeout(port.headersTimeout);
}
