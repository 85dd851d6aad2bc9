import type { Key } from "@/server/keys/schema";

/** What cannot be done to the default key, with the code of the reason. */
export const REFUSED_TO_DEFAULT_KEY: { [action: string]: string } = {
  move: "default_key_has_no_group",
  disable: "default_key_not_disabled",
  revoke: "default_key_not_revoked",
};

/** The actions on one key. Each opens a dialog. */
export type KeyAction = "limits" | "rename" | "move" | "rotate" | "disable" | "enable" | "revoke";

/** The actions that this key allows now. */
export function actionsFor({ status, is_default }: Key): KeyAction[] {
  if (status === "revoked") return [];
  const actions: KeyAction[] = ["limits", "rename", "move", "rotate"];
  actions.push(status === "disabled" ? "enable" : "disable", "revoke");
  return is_default ? actions.filter((action) => !(action in REFUSED_TO_DEFAULT_KEY)) : actions;
}
