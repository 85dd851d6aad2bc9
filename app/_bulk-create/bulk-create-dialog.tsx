"use client";

import { useState } from "react";
import { useTranslations } from "use-intl/react";
import { DefaultsSource } from "@/app/_group-defaults/defaults-source";
import { useGroupDefaults } from "@/app/_group-defaults/use-group-defaults";
import { CreationFailure } from "@/app/_keys/creation-failure";
import { GroupField } from "@/app/_keys/group-field";
import { EMPTY_DRAFT } from "@/app/_limits/draft";
import { LimitFields } from "@/app/_limits/limit-fields";
import { useLimitDraft } from "@/app/_limits/use-limit-draft";
import { trpc } from "@/app/_trpc/client";
import { isUnanswered } from "@/app/_trpc/failure";
import { FailureNotice } from "@/app/_trpc/failure-notice";
import { Button } from "@/components/button";
import { Checkbox } from "@/components/checkbox";
import { ChoiceField } from "@/components/choice-field";
import { Dialog } from "@/components/dialog";
import { FormDialog } from "@/components/form-dialog";
import { bdi } from "@/components/isolate";
import { Notice } from "@/components/notice";
import { StepHeading } from "@/components/step-heading";
import { TextField } from "@/components/text-field";
import { useAttempt } from "@/components/use-attempt";
import { useAwaitedOnce } from "@/components/use-awaited-once";
import { MAX_CREATED } from "@/server/keys/schema";
import { CsvField } from "./csv-field";
import { type CsvFault, readCsv } from "./csv-keys";
import { MadeKeys } from "./made-keys";
import type { MadeKey } from "./made-keys-csv";
import { faultsOfPattern, namesOfLines, namesOfPattern, repeatedNames } from "./names";
import { faultsOfKey, inputOf, type PlannedKey } from "./planned-key";
import { PlannedTable } from "./planned-table";
import { usePlannedCsv } from "./use-planned-csv";

const WAYS = ["names", "pattern", "csv"] as const;

type Way = (typeof WAYS)[number];

type Step =
  | { name: "input" }
  /** @param ignored columns of CSV that nothing is made of. */
  | { name: "preview"; keys: PlannedKey[]; ignored: string[] }
  | { name: "made"; keys: MadeKey[] };

/**
 * Creates many keys in three steps: say which, look at each of them, keep their values.
 * @param groupId the group that is chosen at first.
 */
export function BulkCreateDialog({ groupId = null, onClose }: { groupId?: string | null; onClose(): void }) {
  const [step, setStep] = useState<Step>({ name: "input" });
  const input = useInput(groupId);
  switch (step.name) {
    case "input":
      return (
        <InputStep input={input} onPlanned={(planned) => setStep({ name: "preview", ...planned })} onClose={onClose} />
      );
    case "preview":
      return (
        <PreviewStep
          keys={step.keys}
          ignored={step.ignored}
          onBack={() => setStep({ name: "input" })}
          onMade={(keys) => setStep({ name: "made", keys })}
          onClose={onClose}
        />
      );
    case "made":
      return <MadeKeys keys={step.keys} onClose={onClose} />;
  }
}

/** What is typed. It stays when the preview leads back. */
function useInput(groupId: string | null) {
  const [way, setWay] = useState<Way>("names");
  const [lines, setLines] = useState("");
  const [pattern, setPattern] = useState({ pattern: "worker-{n}", from: "1", count: "10" });
  const [csv, setCsv] = useState("");
  const [group, setGroup] = useState(groupId);
  const limits = useLimitDraft(EMPTY_DRAFT);
  const defaults = useGroupDefaults(group, limits);
  return { way, setWay, lines, setLines, pattern, setPattern, csv, setCsv, group, setGroup, limits, defaults };
}

type Input = ReturnType<typeof useInput>;

function InputStep({
  input,
  onPlanned,
  onClose,
}: {
  input: Input;
  onPlanned(planned: { keys: PlannedKey[]; ignored: string[] }): void;
  onClose(): void;
}) {
  const t = useTranslations("bulkCreate");
  const utils = trpc.useUtils();
  const planCsv = usePlannedCsv();
  const [isChecked, setChecked] = useState(false);
  const [csvFault, setCsvFault] = useState<CsvFault | "tooMany">();
  const { way, lines, pattern, group, limits } = input;
  const names = namesOfLines(lines);
  const faults = faultsOfPattern(pattern);
  const linesFault =
    names.length === 0 ? ("noName" as const) : names.length > MAX_CREATED ? ("tooMany" as const) : undefined;
  const plan = async () => {
    if (way === "csv") {
      // The same fault is said again.
      setCsvFault(undefined);
      const { keys, fault, ignored } = await readCsv(input.csv);
      const found = fault ?? (keys.length > MAX_CREATED ? "tooMany" : undefined);
      setCsvFault(found);
      if (found === undefined) onPlanned({ keys: await planCsv(keys), ignored });
      return;
    }
    if (!(await input.defaults.settle())) return;
    const shared = {
      group: group === null ? null : { id: group, name: (await utils.groups.get.ensureData({ group_id: group })).name },
      limits: limits.draft,
    };
    const all = way === "names" ? names : namesOfPattern(pattern);
    onPlanned({ keys: all.map((name) => ({ name, ...shared })), ignored: [] });
  };
  const check = () => {
    setChecked(true);
    if (way === "csv") return true;
    const areNamed = way === "names" ? linesFault === undefined : Object.keys(faults).length === 0;
    return limits.check() && areNamed;
  };
  return (
    <FormDialog
      title={t("title")}
      width="large"
      action={t("showPreview")}
      check={check}
      onSubmit={plan}
      Failure={FailureNotice}
      isLeavable
      onClose={onClose}
    >
      <ChoiceField
        label={t("way")}
        value={way}
        onChange={(chosen) => {
          input.setWay(chosen);
          setChecked(false);
        }}
        choices={WAYS.map((value) => ({ value, label: t(`ways.${value}`) }))}
      />
      {way === "names" && (
        <TextField
          label={t("lines.label")}
          hint={t("lines.hint", { count: names.length, most: MAX_CREATED })}
          value={lines}
          onChange={input.setLines}
          rows={8}
          autoComplete="off"
          error={isChecked && linesFault ? t(`lines.${linesFault}`, { most: MAX_CREATED }) : undefined}
        />
      )}
      {way === "pattern" && <PatternFields input={input} faults={isChecked ? faults : {}} />}
      {way === "csv" ? (
        <CsvField
          text={input.csv}
          onChange={(text) => {
            input.setCsv(text);
            setCsvFault(undefined);
          }}
          error={csvFault && t(`csv.faults.${csvFault}`, { most: MAX_CREATED })}
        />
      ) : (
        <>
          <GroupField value={group} onChange={input.setGroup} />
          <div className="grid gap-2">
            <DefaultsSource defaults={input.defaults} />
            <LimitFields limits={limits} />
          </div>
        </>
      )}
    </FormDialog>
  );
}

function PatternFields({ input, faults }: { input: Input; faults: ReturnType<typeof faultsOfPattern> }) {
  const t = useTranslations("bulkCreate.pattern");
  const { pattern, setPattern } = input;
  const fault = (name: keyof typeof faults) => {
    const found = faults[name];
    return found && t(`faults.${found}`, { most: MAX_CREATED });
  };
  const names = Object.keys(faultsOfPattern(pattern)).length === 0 ? namesOfPattern(pattern) : [];
  const shown = names.length > 3 ? [names[0], names[1], "…", names.at(-1)] : names;
  return (
    <div className="grid gap-4">
      <TextField
        label={t("label")}
        hint={t("hint")}
        value={pattern.pattern}
        onChange={(text) => setPattern({ ...pattern, pattern: text })}
        autoComplete="off"
        error={fault("pattern")}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {(["from", "count"] as const).map((name) => (
          <TextField
            key={name}
            label={t(name)}
            value={pattern[name]}
            onChange={(text) => setPattern({ ...pattern, [name]: text })}
            inputMode="numeric"
            autoComplete="off"
            error={fault(name)}
          />
        ))}
      </div>
      <p aria-live="polite" className="text-[0.8125rem] text-ink-soft [overflow-wrap:anywhere] empty:hidden">
        {names.length > 0 && t("example", { names: shown.join(" · ") })}
      </p>
    </div>
  );
}

function PreviewStep({
  keys,
  ignored,
  onBack,
  onMade,
  onClose,
}: {
  keys: PlannedKey[];
  ignored: string[];
  onBack(): void;
  onMade(keys: MadeKey[]): void;
  onClose(): void;
}) {
  const t = useTranslations("bulkCreate");
  const utils = trpc.useUtils();
  const create = trpc.keys.createMany.useMutation();
  const [isNarrowed, setNarrowed] = useState(false);
  const rows = keys.map((key, i) => ({ place: i + 1, key, faults: faultsOfKey(key) }));
  const faulty = rows.filter(({ faults }) => faults.length > 0);
  const repeated = repeatedNames(keys.map(({ name }) => name));
  const { attempt, error, isPending } = useAttempt(async () => {
    const { keys: made } = await create.mutateAsync({ keys: keys.map(inputOf) });
    utils.invalidate();
    onMade(made.map((key, i) => ({ ...key, group: keys[i]?.group?.name ?? "" })));
  });
  useAwaitedOnce(isPending);
  const summary = isUnanswered(error) ? "unanswered" : "summary";
  return (
    <Dialog
      title={t("title")}
      width="large"
      // The values are in the answer, so it must be waited for.
      onClose={onClose}
      isClosable={!isPending}
      footer={
        <>
          <Button onPress={onBack} isDisabled={isPending}>
            {t("back")}
          </Button>
          <Button variant="primary" onPress={attempt} isPending={isPending} isDisabled={faulty.length > 0}>
            {t("create", { count: keys.length })}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <StepHeading>{t(`preview.${faulty.length > 0 ? "read" : summary}`, { count: keys.length })}</StepHeading>
        <CreationFailure error={error} count={keys.length} />
        {faulty.length > 0 && (
          <Notice tone="danger" title={t("preview.faulty", { count: faulty.length })}>
            {t("preview.faultyText")}
          </Notice>
        )}
        {repeated.length > 0 && (
          <Notice tone="warn">
            {t.rich("preview.repeated", { count: repeated.length, name: repeated[0] ?? "", bdi })}
          </Notice>
        )}
        {ignored.length > 0 && (
          <Notice tone="warn">{t("preview.ignored", { count: ignored.length, columns: ignored.join(", ") })}</Notice>
        )}
        {faulty.length > 0 && faulty.length < rows.length && (
          <div>
            <Checkbox label={t("preview.onlyFaulty")} isLabelShown state={isNarrowed} onChange={setNarrowed} />
          </div>
        )}
        <PlannedTable rows={isNarrowed ? faulty : rows} />
      </div>
    </Dialog>
  );
}
