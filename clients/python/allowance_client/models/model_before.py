from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="ModelBefore")


@_attrs_define
class ModelBefore:
    """A price as it was read.

    Attributes:
        input_price (float): Price of a million input tokens, in the currency. 0 is free of charge.
        output_price (float): Price of a million output tokens, in the currency. 0 is free of charge.
        aliases (list[str] | Unset): Other names of the model.
        currency (str | Unset): ISO 4217 code of the currency of the prices.
        rate (float | Unset): Yuan for one unit of the currency; 1 for yuan.
        cached_input_price (float | None | Unset): Price of a million input tokens that the model has read before, in
            the currency; `null`: as `input_price`.
        max_output_tokens (int | None | Unset): The most tokens that the model answers with; `null`: unknown.
    """

    input_price: float
    output_price: float
    aliases: list[str] | Unset = UNSET
    currency: str | Unset = UNSET
    rate: float | Unset = UNSET
    cached_input_price: float | None | Unset = UNSET
    max_output_tokens: int | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
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

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
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

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
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

        model_before = cls(
            input_price=input_price,
            output_price=output_price,
            aliases=aliases,
            currency=currency,
            rate=rate,
            cached_input_price=cached_input_price,
            max_output_tokens=max_output_tokens,
        )

        model_before.additional_properties = d
        return model_before

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
