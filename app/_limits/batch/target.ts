/** The keys that get limits together. */
export type BatchTarget =
  | { kind: "group"; id: string; name: string }
  /** At most 1000, as many as the server takes at once. */
  | { kind: "keys"; apikeyIds: string[] };
