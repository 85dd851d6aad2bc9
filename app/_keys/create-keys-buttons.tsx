"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { Button } from "@/components/button";
import { buttonStyle } from "@/components/button-style";
import { Icon } from "@/components/icon";
import { Menu } from "@/components/menu";
import { CreateKeyDialog } from "./create-key-dialog";

/** Few who open a page create many keys. */
const BulkCreateDialog = dynamic(
  () => import("@/app/_bulk-create/bulk-create-dialog").then((module) => module.BulkCreateDialog),
  // Without this, the whole page is hidden until the dialog is loaded.
  { ssr: false },
);

/** Which dialog that creates keys is open. */
export function useKeyCreation() {
  const [open, setOpen] = useState<"one" | "many">();
  return { open, setOpen, createOne: () => setOpen("one") };
}

type KeyCreation = ReturnType<typeof useKeyCreation>;

/** The button that creates a key, and beside it the menu for many keys. */
export function CreateKeysButtons({ creation: { setOpen } }: { creation: KeyCreation }) {
  const t = useTranslations("keys");
  const words = useTranslations("bulkCreate");
  return (
    <span className="inline-flex gap-px">
      <Button variant="primary" icon="plus" className="rounded-r-none" onPress={() => setOpen("one")}>
        {t("create")}
      </Button>
      <Menu
        label={words("more")}
        className={`${buttonStyle("primary", "medium", true)} rounded-l-none`}
        sections={[{ items: [{ label: words("open"), icon: "plus", onSelect: () => setOpen("many") }] }]}
      >
        <Icon name="chevron-down" />
      </Menu>
    </span>
  );
}

/** The dialog that is open. @param groupId the group that is chosen at first. */
export function CreateKeysDialogs({
  creation: { open, setOpen },
  groupId = null,
}: {
  creation: KeyCreation;
  groupId?: string | null;
}) {
  const close = () => setOpen(undefined);
  if (open === "one") return <CreateKeyDialog groupId={groupId} onClose={close} />;
  return open === "many" && <BulkCreateDialog groupId={groupId} onClose={close} />;
}
