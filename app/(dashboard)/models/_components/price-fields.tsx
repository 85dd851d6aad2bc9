"use client";

import { useId } from "react";
import { useTranslations } from "use-intl/react";
import { BOX, Field, fieldIds, TWO_FIELDS } from "@/components/field";
import { TextField } from "@/components/text-field";
import { useFormats } from "@/components/use-formats";
import { currencyOf, PRICE_NAMES, type PriceName, YUAN, yuanOf } from "./price-draft";
import type { TypedPrice } from "./use-price-draft";

/** The currency of prices, and the rate that it needs. */
export function CurrencyFields({ price }: { price: Pick<TypedPrice, "draft" | "change" | "leave" | "errorOf"> }) {
  const t = useTranslations("models.form");
  const { draft, change, leave, errorOf } = price;
  const currency = currencyOf(draft);
  return (
    <div className={TWO_FIELDS}>
      <TextField
        label={t("currency")}
        hint={t("currencyHint")}
        value={draft.currency}
        onChange={(text) => change({ currency: text.toUpperCase() })}
        onBlur={() => leave("currency")}
        error={errorOf("currency")}
        autoComplete="off"
        maxLength={3}
      />
      {currency !== YUAN && (
        <TextField
          label={t("rate", { currency })}
          hint={t("rateHint")}
          value={draft.rate}
          onChange={(rate) => change({ rate })}
          onBlur={() => leave("rate")}
          error={errorOf("rate")}
          autoComplete="off"
          inputMode="decimal"
        />
      )}
    </div>
  );
}

/** The three prices of a model, each with what it is in yuan. */
export function PriceFields({ price }: { price: TypedPrice }) {
  const t = useTranslations("models.form");
  const currency = currencyOf(price.draft);
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-sm font-medium">{t("prices", { currency })}</legend>
      <div className="grid items-start gap-4 sm:grid-cols-3">
        {PRICE_NAMES.map((name) => (
          <OnePrice key={name} name={name} price={price} />
        ))}
      </div>
    </fieldset>
  );
}

function OnePrice({ name, price: { draft, change, leave, errorOf } }: { name: PriceName; price: TypedPrice }) {
  const t = useTranslations("models.form");
  const formats = useFormats();
  const id = useId();
  const error = errorOf(name);
  const yuan = yuanOf(draft, name);
  return (
    <div className="grid gap-1.5">
      <Field id={id} label={t(name)} error={error}>
        <input
          {...fieldIds(id, { error })}
          inputMode="decimal"
          autoComplete="off"
          value={draft[name]}
          onChange={(event) => change({ [name]: event.target.value })}
          onBlur={() => leave(name)}
          className={`${BOX} tabular-nums`}
        />
      </Field>
      {!error && (
        <output htmlFor={id} className="min-h-5 text-[0.8125rem]/5 text-ink-soft tabular-nums">
          {yuan === undefined
            ? name === "cached_input_price" && draft[name] === "" && t("cachedAsInput")
            : t("inYuan", { amount: formats.exactAmount(yuan) })}
        </output>
      )}
    </div>
  );
}
