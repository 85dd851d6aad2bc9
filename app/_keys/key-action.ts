import type { Key } from "@/server/keys/schema";

/** The actions on one key. Each opens a dialog. */
export type KeyAction = "limits" | "rename" | "move" | "rotate" | "disable" | "enable" | "revoke";

/** The actions that this key allows now. The default key cannot be moved, disabled or revoked. */
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
