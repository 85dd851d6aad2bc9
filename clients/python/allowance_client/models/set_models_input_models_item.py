from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.model_before import ModelBefore


T = TypeVar("T", bound="SetModelsInputModelsItem")


@_attrs_define
class SetModelsInputModelsItem:
    """
    Attributes:
        name (str): Name of the model, 1 to 200 characters, or a pattern in which `*` stands for any characters.
        input_price (float): Price of a million input tokens, in the currency. 0 is free of charge.
        output_price (float): Price of a million output tokens, in the currency. 0 is free of charge.
        aliases (list[str] | Unset): Other names of the model.
        currency (str | Unset): ISO 4217 code of the currency of the prices.
        rate (float | Unset): Yuan for one unit of the currency; 1 for yuan.
        cached_input_price (float | None | Unset): Price of a million input tokens that the model has read before, in
            the currency; `null`: as `input_price`.
        max_output_tokens (int | None | Unset): The most tokens that the model answers with; `null`: unknown.
        valid_from (datetime.date | Unset): First day on which the price counts, in the time zone of the account.
        before (ModelBefore | None | Unset): What the change is based on: the price of this name and first day as it was
            read; `null`: there was none. Where it is another one by now, nothing is changed.
    """

    name: str
    input_price: float
    output_price: float
    aliases: list[str] | Unset = UNSET
    currency: str | Unset = UNSET
    rate: float | Unset = UNSET
    cached_input_price: float | None | Unset = UNSET
    max_output_tokens: int | None | Unset = UNSET
    valid_from: datetime.date | Unset = UNSET
    before: ModelBefore | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.model_before import ModelBefore  # noqa: PLC0415

        name = self.name

        input_price = self.input_price

        output_price = self.output_price

        aliases: list[str] | Unset = UNSET
        if not isinstance(self.aliases, Unset):
            aliases = self.aliases

        currency = self.currency

        rate = self.rate

        cached_input_price: float | None | Unset
        if isinstance(self.cached_input_price, Unset):
            cached_input_price = UNSET
        else:
            cached_input_price = self.cached_input_price

        max_output_tokens: int | None | Unset
        if isinstance(self.max_output_tokens, Unset):
            max_output_tokens = UNSET
        else:
            max_output_tokens = self.max_output_tokens

        valid_from: str | Unset = UNSET
        if not isinstance(self.valid_from, Unset):
            valid_from = self.valid_from.isoformat()

        before: dict[str, Any] | None | Unset
        if isinstance(self.before, Unset):
            before = UNSET
        elif isinstance(self.before, ModelBefore):
            before = self.before.to_dict()
        else:
            before = self.before

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "name": name,
                "input_price": input_price,
                "output_price": output_price,
            }
        )
        if aliases is not UNSET:
            field_dict["aliases"] = aliases
        if currency is not UNSET:
            field_dict["currency"] = currency
        if rate is not UNSET:
            field_dict["rate"] = rate
        if cached_input_price is not UNSET:
            field_dict["cached_input_price"] = cached_input_price
        if max_output_tokens is not UNSET:
            field_dict["max_output_tokens"] = max_output_tokens
        if valid_from is not UNSET:
            field_dict["valid_from"] = valid_from
        if before is not UNSET:
            field_dict["before"] = before

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.model_before import ModelBefore  # noqa: PLC0415

        d = dict(src_dict)
        name = d.pop("name")

        input_price = d.pop("input_price")

        output_price = d.pop("output_price")

        aliases = cast(list[str], d.pop("aliases", UNSET))

        currency = d.pop("currency", UNSET)

        rate = d.pop("rate", UNSET)

        def _parse_cached_input_price(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        cached_input_price = _parse_cached_input_price(d.pop("cached_input_price", UNSET))

        def _parse_max_output_tokens(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        max_output_tokens = _parse_max_output_tokens(d.pop("max_output_tokens", UNSET))

        _valid_from = d.pop("valid_from", UNSET)
        valid_from: datetime.date | Unset
        if isinstance(_valid_from, Unset):
            valid_from = UNSET
        else:
            valid_from = datetime.date.fromisoformat(_valid_from)

        def _parse_before(data: object) -> ModelBefore | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                before_type_0 = ModelBefore.from_dict(data)

                return before_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ModelBefore | None | Unset, data)

        before = _parse_before(d.pop("before", UNSET))

        set_models_input_models_item = cls(
            name=name,
            input_price=input_price,
            output_price=output_price,
            aliases=aliases,
            currency=currency,
            rate=rate,
            cached_input_price=cached_input_price,
            max_output_tokens=max_output_tokens,
            valid_from=valid_from,
            before=before,
        )

        set_models_input_models_item.additional_properties = d
        return set_models_input_models_item

    @property
    def additional_keys(self) -> list[str]:
        return list(self.additional_properties.keys())

    def __getitem__(self, key: str) -> Any:
        return self.additional_properties[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.additional_properties[key] = value

    def __delitem__(self, key: str) -> None:
        del self.additional_properties[key]

    def __contains__(self, key: str) -> bool:
        return key in self.additional_properties
