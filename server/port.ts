/** What the text of a port must be, for a sentence. */
export const A_PORT = "a port from 0 to 65535";

/** Whether a text is a port. Without digits it is that of the protocol. */
export function isPort(text: string): boolean {
  return /^\d*$/.test(text) && Number(text) <= 65535;
}
