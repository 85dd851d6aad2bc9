"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { CreateKeyDialog } from "@/app/_keys/create-key-dialog";
import { KeysTable } from "@/app/_keys/keys-table";
import { useCreator } from "@/app/_palette/page-action";
import { Button } from "@/components/button";
import { PageHeading } from "@/components/page-heading";

/** The page of all keys. */
export function KeysPage() {
  const t = useTranslations("keys");
  const [isCreating, setCreating] = useState(false);
  useCreator("key", () => setCreating(true));
  return (
    <>
      <PageHeading
        title={t("title")}
        description={t("description")}
        actions={
          <Button variant="primary" icon="plus" onPress={() => setCreating(true)}>
            {t("create")}
          </Button>
        }
      />
      <KeysTable onCreate={() => setCreating(true)} />
      {isCreating && <CreateKeyDialog onClose={() => setCreating(false)} />}
    </>
  );
}
