from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.revert_preview_prices_item_after_type_0_prices import RevertPreviewPricesItemAfterType0Prices


T = TypeVar("T", bound="RevertPreviewPricesItemAfterType0")


@_attrs_define
class RevertPreviewPricesItemAfterType0:
    """The price after; `null`: it is deleted.

    Attributes:
        aliases (list[str]): Other names of the model.
        currency (str): ISO 4217 code of the currency of the prices.
        rate (float): Yuan for one unit of the currency; 1 for yuan.
        input_price (float): Price of a million input tokens, in the currency. 0 is free of charge.
        output_price (float): Price of a million output tokens, in the currency. 0 is free of charge.
        cached_input_price (float | None): Price of a million input tokens that the model has read before, in the
            currency; `null`: as `input_price`.
        max_output_tokens (int | None): The most tokens that the model answers with; `null`: unknown.
        prices (RevertPreviewPricesItemAfterType0Prices): The prices in yuan per million tokens: price times rate,
            rounded half-even to 9 decimals.
    """

    aliases: list[str]
    currency: str
    rate: float
    input_price: float
    output_price: float
    cached_input_price: float | None
    max_output_tokens: int | None
    prices: RevertPreviewPricesItemAfterType0Prices
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        aliases = self.aliases

        currency = self.currency

        rate = self.rate

        input_price = self.input_price

        output_price = self.output_price

        cached_input_price: float | None
        cached_input_price = self.cached_input_price

        max_output_tokens: int | None
        max_output_tokens = self.max_output_tokens

        prices = self.prices.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "aliases": aliases,
                "currency": currency,
                "rate": rate,
                "input_price": input_price,
                "output_price": output_price,
                "cached_input_price": cached_input_price,
                "max_output_tokens": max_output_tokens,
                "prices": prices,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.revert_preview_prices_item_after_type_0_prices import RevertPreviewPricesItemAfterType0Prices  # noqa: PLC0415

        d = dict(src_dict)
        aliases = cast(list[str], d.pop("aliases"))

        currency = d.pop("currency")

        rate = d.pop("rate")

        input_price = d.pop("input_price")

        output_price = d.pop("output_price")

        def _parse_cached_input_price(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        cached_input_price = _parse_cached_input_price(d.pop("cached_input_price"))

        def _parse_max_output_tokens(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        max_output_tokens = _parse_max_output_tokens(d.pop("max_output_tokens"))

        prices = RevertPreviewPricesItemAfterType0Prices.from_dict(d.pop("prices"))

        revert_preview_prices_item_after_type_0 = cls(
            aliases=aliases,
            currency=currency,
            rate=rate,
            input_price=input_price,
            output_price=output_price,
            cached_input_price=cached_input_price,
            max_output_tokens=max_output_tokens,
            prices=prices,
        )

        revert_preview_prices_item_after_type_0.additional_properties = d
        return revert_preview_prices_item_after_type_0

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
