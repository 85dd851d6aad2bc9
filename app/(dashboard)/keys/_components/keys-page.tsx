"use client";

import { useTranslations } from "use-intl/react";
import { CreateKeysButtons, CreateKeysDialogs, useKeyCreation } from "@/app/_keys/create-keys-buttons";
import { KeysTable } from "@/app/_keys/keys-table";
import { useCreator } from "@/app/_palette/page-action";
import { PageHeading } from "@/components/page-heading";

/** The page of all keys. */
export function KeysPage() {
  const t = useTranslations("keys");
  const creation = useKeyCreation();
  useCreator("key", creation.createOne);
  return (
    <>
      <PageHeading
        title={t("title")}
        description={t("description")}
        actions={<CreateKeysButtons creation={creation} />}
      />
      <KeysTable onCreate={creation.createOne} />
      <CreateKeysDialogs creation={creation} />
    </>
  );
}
