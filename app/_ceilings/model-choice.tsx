"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { ChoiceField } from "@/components/choice-field";
import { bdi } from "@/components/isolate";
import { useFormats } from "@/components/use-formats";
import type { AllowedModels } from "@/server/prices/allowed";
import type { ComparedModel } from "./compared-model";
import { ModelSearch } from "./model-search";

/** A longer list is searched. */
const MOST_SHOWN = 50;
const KINDS = ["going", "coming", "allowed", "notAllowed"] as const;

type Kind = (typeof KINDS)[number];

/** Lists one kind of models at a time: those that go, that come, that are allowed, that are not. */
export function ModelChoice({ lists, hasChange }: { lists: AllowedModels<ComparedModel>; hasChange: boolean }) {
  const t = useTranslations("ceilings");
  const formats = useFormats();
  const [chosen, setChosen] = useState<Kind>();
  const [search, setSearch] = useState("");
  const isOffered = (kind: Kind) => (kind === "going" || kind === "coming" ? lists[kind].length > 0 : true);
  const kinds = KINDS.filter((kind) => isOffered(kind) && (hasChange || kind === "allowed" || kind === "notAllowed"));
  // What is typed elsewhere may leave the chosen kind without a model.
  const kind = kinds.find((each) => each === chosen) ?? kinds[0] ?? "allowed";
  const models = lists[kind];
  const sought = search.trim().toLowerCase();
  const matching = sought === "" ? models : models.filter((model) => namesOf(model).some(contains(sought)));
  const shown = matching.slice(0, MOST_SHOWN);
  const hasSearch = KINDS.some((each) => lists[each].length > MOST_SHOWN);
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <ChoiceField<Kind>
          label={t("which")}
          value={kind}
          onChange={setChosen}
          choices={kinds.map((value) => ({ value, label: t(`kinds.${value}`, { count: lists[value].length }) }))}
        />
        {hasSearch && <ModelSearch value={search} onChange={setSearch} />}
      </div>
      {shown.length === 0 ? (
        <p className="text-ink-soft">{t(models.length === 0 ? "none" : "noMatch")}</p>
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: it names the part that scrolls, not a part of the page
        <div
          role="region"
          aria-label={t(`kinds.${kind}`, { count: models.length })}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach the part that scrolls
          tabIndex={0}
          className="max-h-72 overflow-y-auto rounded-lg border border-line"
        >
          <table className="w-full border-separate border-spacing-0 [&_tr:not(:last-child)>*]:border-b [&_tr>*]:border-line">
            <caption className="sr-only">{t("perMillion")}</caption>
            <thead className="sticky top-0 bg-panel text-xs text-ink-soft [&_th]:border-b [&_th]:border-line">
              <tr>
                <th scope="col" className="px-3 py-1.5 text-left font-medium">
                  {t("columns.model")}
                </th>
                <th scope="col" className="px-3 py-1.5 text-right font-medium">
                  {t("columns.input")}
                </th>
                <th scope="col" className="px-3 py-1.5 text-right font-medium">
                  {t("columns.output")}
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ name, aliases, shown: { input, output, cached_input } }) => (
                <tr key={name}>
                  <th scope="row" className="px-3 py-1.5 text-left font-normal [overflow-wrap:anywhere]">
                    {bdi(name)}
                    {aliases.length > 0 && (
                      <span className="block text-xs text-ink-soft">{t("also", { names: aliases.join(", ") })}</span>
                    )}
                  </th>
                  <td className="px-3 py-1.5 text-right align-top whitespace-nowrap tabular-nums">
                    {formats.exactAmount(input)}
                    {/* Then this price is the one that the ceiling bounds. */}
                    {cached_input > input && (
                      <span className="block text-xs text-ink-soft">
                        {t("cached", { price: formats.exactAmount(cached_input) })}
                      </span>
                    )}
                  </td>
                  <td className="px-3 py-1.5 text-right align-top whitespace-nowrap tabular-nums">
                    {formats.exactAmount(output)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {matching.length > shown.length && (
        <p className="text-ink-soft">{t("more", { count: matching.length - shown.length })}</p>
      )}
    </div>
  );
}

function namesOf({ name, aliases }: ComparedModel): string[] {
  return [name, ...aliases];
}

function contains(sought: string): (name: string) => boolean {
  return (name) => name.toLowerCase().includes(sought);
}
