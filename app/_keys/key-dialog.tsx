"use client";

import type { Key } from "@/server/keys/schema";
import { EditLimitsDialog } from "./edit-limits-dialog";
import type { KeyAction } from "./key-action";
import { MoveKeyDialog } from "./move-key-dialog";
import { RenameKeyDialog } from "./rename-key-dialog";
import { RotateKeyDialog } from "./rotate-key-dialog";
import { SwitchKeyDialog } from "./switch-key-dialog";

/** The dialog of one action on one key. */
export function KeyDialog({ action, apikey, onClose }: { action: KeyAction; apikey: Key; onClose(): void }) {
  switch (action) {
    case "limits":
      return <EditLimitsDialog apikey={apikey} onClose={onClose} />;
    case "rename":
      return <RenameKeyDialog apikey={apikey} onClose={onClose} />;
    case "move":
      return <MoveKeyDialog apikey={apikey} onClose={onClose} />;
    case "rotate":
      return <RotateKeyDialog apikey={apikey} onClose={onClose} />;
    default:
      return <SwitchKeyDialog action={action} apikey={apikey} onClose={onClose} />;
  }
}
