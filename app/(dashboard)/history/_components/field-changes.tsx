"use client";

import { Fragment } from "react";
import { useTranslations } from "use-intl/react";
import { useFieldTexts } from "./field-texts";

/** Values by the name of their field, as the history stores them. */
type Values = Record<string, unknown>;

/** The fields that changed, each with its value before and after. One of the two may be unknown. */
export function FieldChanges({ before, after }: { before: Values; after: Values }) {
  const t = useTranslations("history");
  const texts = useFieldTexts();
  const names = texts.inOrder([...new Set([...Object.keys(after), ...Object.keys(before)])]);
  if (names.length === 0) return null;
  return (
    <dl className="grid grid-cols-[fit-content(10rem)_1fr] gap-x-4 gap-y-1 text-[13px]">
      {names.map((name) => (
        <Fragment key={name}>
          <dt className="text-ink-soft [overflow-wrap:anywhere]">{texts.label(name)}</dt>
          <dd className="min-w-0 tabular-nums [overflow-wrap:anywhere]">
            {name in before && (
              <>
                {name in after && <span className="sr-only">{t("changes.from")} </span>}
                <bdi className={name in after ? "text-ink-soft" : ""}>{texts.value(name, before[name])}</bdi>
              </>
            )}
            {name in before && name in after && (
              <>
                <span aria-hidden="true" className="text-ink-soft">
                  {" → "}
                </span>
                <span className="sr-only"> {t("changes.to")} </span>
              </>
            )}
            {name in after && <bdi className="font-medium">{texts.value(name, after[name])}</bdi>}
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** Fields and their values, in one line. */
export function PlainValues({ values }: { values: Values }) {
  const texts = useFieldTexts();
  return texts.inOrder(Object.keys(values)).map((name, index) => (
    <Fragment key={name}>
      {index > 0 && " · "}
      {texts.label(name)} <bdi className="text-ink tabular-nums">{texts.value(name, values[name])}</bdi>
    </Fragment>
  ));
}
