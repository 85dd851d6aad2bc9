from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="RevertPreviewPricesItemBeforeType0Prices")


@_attrs_define
class RevertPreviewPricesItemBeforeType0Prices:
    """The prices in yuan per million tokens: price times rate, rounded half-even to 9 decimals.

    Attributes:
        input_ (float): Of a million input tokens.
        output (float): Of a million output tokens.
        cached_input (float): Of a million input tokens that the model has read before.
    """

    input_: float
    output: float
    cached_input: float
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        input_ = self.input_

        output = self.output

        cached_input = self.cached_input

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "input": input_,
                "output": output,
                "cached_input": cached_input,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        input_ = d.pop("input")

        output = d.pop("output")

        cached_input = d.pop("cached_input")

        revert_preview_prices_item_before_type_0_prices = cls(
            input_=input_,
            output=output,
            cached_input=cached_input,
        )

        revert_preview_prices_item_before_type_0_prices.additional_properties = d
        return revert_preview_prices_item_before_type_0_prices

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
