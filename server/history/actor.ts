/** Who makes a change, for the history. */
export interface Actor {
  /** Through the dashboard, through `/v1`, or by a command on the machine. */
  kind: "browser" | "rest" | "command_line";
  /** The email of a session, the id of a default key, or the name of a command. Never a secret. */
  name: string;
  /** IP address of the request; null for a command. */
  address: string | null;
}
