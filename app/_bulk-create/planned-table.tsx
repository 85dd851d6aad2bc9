"use client";

import { useTranslations } from "use-intl/react";
import { amountOf, SHOWN_NAMES } from "@/app/_limits/draft";
import { useLimitTexts } from "@/app/_limits/limit-texts";
import { Cell, HeadCell, Table } from "@/components/table";
import type { LimitName } from "@/server/limits/schema";
import type { PlannedFault, PlannedKey } from "./planned-key";

/** A planned key with its place in the list, from 1 on, and what is wrong with it. */
export interface CheckedKey {
  place: number;
  key: PlannedKey;
  faults: PlannedFault[];
}

/** Every key that is to be created, each with its faults. Limits that no key has get no column. */
export function PlannedTable({ rows }: { rows: readonly CheckedKey[] }) {
  const t = useTranslations("bulkCreate.preview");
  const texts = useLimitTexts();
  const names = SHOWN_NAMES.filter((name) => rows.some(({ key }) => key.limits[name] !== null));
  return (
    <Table
      label={t("table")}
      head={
        <>
          <HeadCell isNarrow align="end">
            {t("number")}
          </HeadCell>
          <HeadCell>{t("name")}</HeadCell>
          <HeadCell>{t("group")}</HeadCell>
          {names.map((name) => (
            <HeadCell key={name} align="end">
              {texts.label(name)}
            </HeadCell>
          ))}
        </>
      }
    >
      {rows.map(({ place, key, faults }) => (
        <tr key={place}>
          <Cell isNarrow align="end" className="text-ink-soft">
            {place}
          </Cell>
          <Cell isHead className="min-w-40 text-left [overflow-wrap:anywhere]">
            <bdi>{key.name}</bdi>
            <Faults faults={faults} />
          </Cell>
          <Cell className="min-w-28 [overflow-wrap:anywhere]">
            {key.group === null ? (
              <span className="text-ink-soft">{t("noGroup")}</span>
            ) : (
              <bdi className={key.group.id === undefined ? "text-danger" : ""}>{key.group.name}</bdi>
            )}
          </Cell>
          {names.map((name) => (
            <Cell key={name} align="end">
              <Limit
                planned={key}
                name={name}
                isFaulty={faults.some((fault) => fault.of === "limit" && fault.limit === name)}
              />
            </Cell>
          ))}
        </tr>
      ))}
    </Table>
  );
}

function Limit({
  planned: { limits, fromGroup = [] },
  name,
  isFaulty,
}: {
  planned: PlannedKey;
  name: LimitName;
  isFaulty: boolean;
}) {
  const t = useTranslations("bulkCreate.preview");
  const texts = useLimitTexts();
  const text = limits[name];
  if (text === null) return <span className="text-ink-soft">{texts.value(name, null)}</span>;
  // What is no value is shown as it was typed.
  if (isFaulty) return <bdi className="text-danger">{text}</bdi>;
  return (
    <>
      {texts.value(name, name === "expiry_date" ? text : (amountOf(text) ?? null))}
      {fromGroup.includes(name) && <span className="block text-xs text-ink-soft">{t("fromGroup")}</span>}
    </>
  );
}

function Faults({ faults }: { faults: readonly PlannedFault[] }) {
  const t = useTranslations("bulkCreate.preview");
  const ofNames = useTranslations("names");
  const texts = useLimitTexts();
  if (faults.length === 0) return null;
  const sentence = (fault: PlannedFault) => {
    switch (fault.of) {
      case "name":
        return ofNames(fault.fault);
      case "limit":
        return t("limitFault", { limit: texts.label(fault.limit), fault: texts.fault(fault.fault) ?? "" });
      default:
        return t(`faults.${fault.fault}`);
    }
  };
  return (
    <ul className="mt-0.5 text-[0.8125rem] text-danger">
      {faults.map((fault) => (
        <li key={`${fault.of} ${fault.of === "limit" ? fault.limit : ""}`}>{sentence(fault)}</li>
      ))}
    </ul>
  );
}
