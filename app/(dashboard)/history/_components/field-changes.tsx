"use client";

import { Fragment } from "react";
import { useTranslations } from "use-intl/react";
import { useFieldTexts } from "./field-texts";

/** Values by the name of their field, as the history stores them. */
type Values = Record<string, unknown>;

/**
 * The fields that changed, each with its value before and after. One of the two may be unknown. A field whose two values read
 * the same did not change; unset and 0 both mean no limit.
 */
export function FieldChanges({ before, after }: { before: Values; after: Values }) {
  const t = useTranslations("history");
  const texts = useFieldTexts();
  const written = texts.inOrder([...new Set([...Object.keys(after), ...Object.keys(before)])]);
  const isSame = (name: string) =>
    name in before && name in after && texts.value(name, before[name]) === texts.value(name, after[name]);
  const names = written.filter((name) => !isSame(name));
  if (written.length === 0) return null;
  if (names.length === 0) return <p className="text-[0.8125rem] text-ink-soft">{t("changes.none")}</p>;
  return (
    <dl className="grid grid-cols-[fit-content(10rem)_1fr] gap-x-4 gap-y-1 text-[0.8125rem]">
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

/**
 * What one of many keys had before, in one line, as far as it differs from what it has after. Values after that are the key's
 * own stand beside those before.
 */
export function ChangesOfKey({ before, shared, own }: { before: Values; shared: Values; own: Values }) {
  const t = useTranslations("history");
  const texts = useFieldTexts();
  const after: Values = { ...shared, ...own };
  const names = texts
    .inOrder(Object.keys(before))
    .filter((name) => !(name in after) || texts.value(name, before[name]) !== texts.value(name, after[name]));
  if (names.length === 0) return Object.keys(before).length > 0 && t("changes.none");
  return (
    <>
      {names.some((name) => !(name in own)) && `${t("keys.before")} `}
      {names.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && " · "}
          {texts.label(name)} <bdi className="text-ink tabular-nums">{texts.value(name, before[name])}</bdi>
          {name in own && (
            <>
              <span aria-hidden="true"> → </span>
              <span className="sr-only"> {t("changes.to")} </span>
              <bdi className="font-medium text-ink tabular-nums">{texts.value(name, own[name])}</bdi>
            </>
          )}
        </Fragment>
      ))}
    </>
  );
}
