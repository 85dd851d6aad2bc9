import type { Worker } from "node:cluster";

interface Handed {
  seq: number;
  connection: { close(): void };
}
/** A message of Node.js has a number, which the answer of the worker has as `ack`. Ours have none, and may have a callback. */
type Send = (message: { seq?: number }, connection?: Handed["connection"], ...rest: unknown[]) => boolean;

/**
 * Follows which connection this process has sent to a worker that has not answered yet whether it takes it. Node.js sends
 * one at a time, and forgets it when the worker ends before its answer: its client would wait for ever.
 * @returns closes that connection, if there is one. To be called when the worker has ended.
 */
export function followHandedConnection({ process }: Worker): () => void {
  // A worker that could not be started has no line to this process.
  if (!process.send) return () => {};
  let handed: Handed | undefined;
  const send = process.send.bind(process) as Send;
  const follow: Send = (message, connection, ...rest) => {
    const { seq } = message;
    if (seq !== undefined && connection) handed = { seq, connection };
    return send(message, connection, ...rest);
  };
  process.send = follow as typeof process.send;
  process.on("internalMessage", ({ ack }: { ack?: number }) => {
    if (ack === handed?.seq) handed = undefined;
  });
  return () => handed?.connection.close();
}
