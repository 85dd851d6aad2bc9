/** The way in which a change is made: in the dashboard, over the API, or by a command on the machine. */
export const ACTORS = ["browser", "rest", "command_line"] as const;

/** Who makes a change, as the history names it. */
export interface Actor {
  kind: (typeof ACTORS)[number];
  /** The email of a session, the id of a default key, or the name of a command. Never a secret. */
  name: string;
  /** IP address of the request; null for a command. */
  address: string | null;
}
