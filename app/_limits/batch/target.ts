/** The keys whose limits are set together. */
export type BatchTarget =
  | { kind: "group"; id: string; name: string }
  /** At most 1000: the server accepts no more at once. */
  | { kind: "keys"; apikeyIds: string[] };
