"use client";

import type { ReactNode } from "react";
import { useTranslations } from "use-intl/react";
import { CreateKeysButtons, CreateKeysDialogs, useKeyCreation } from "@/app/_keys/create-keys-buttons";
import { useCreator } from "@/app/_palette/page-action";
import { PageHeading } from "@/components/page-heading";

/** The page of all keys, around their table. */
export function KeysPage({ children }: { children: ReactNode }) {
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
      {children}
      <CreateKeysDialogs creation={creation} />
    </>
  );
}
