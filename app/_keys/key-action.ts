import type { Key } from "@/server/keys/schema";

/** What can be done to one key; each opens a dialog. */
export type KeyAction = "limits" | "rename" | "move" | "rotate" | "disable" | "enable" | "revoke";

/** What can be done to this key now. The default key is in no group, and is rotated, never disabled or revoked. */
export function actionsFor({ status, is_default }: Key): KeyAction[] {
  if (status === "revoked") return [];
  const actions: KeyAction[] = ["limits", "rename"];
  if (!is_default) actions.push("move");
  actions.push("rotate");
  if (status === "disabled") actions.push("enable");
  else if (!is_default) actions.push("disable");
  if (!is_default) actions.push("revoke");
  return actions;
}
