from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.get_allowance_result_model_patterns_item_prices import GetAllowanceResultModelPatternsItemPrices


T = TypeVar("T", bound="GetAllowanceResultModelPatternsItem")


@_attrs_define
class GetAllowanceResultModelPatternsItem:
    """
    Attributes:
        pattern (str): A pattern, in which `*` stands for any characters.
        prices (GetAllowanceResultModelPatternsItemPrices): The prices in yuan per million tokens: price times rate,
            rounded half-even to 9 decimals.
        max_output_tokens (int | None): The most tokens that the model answers with; `null`: unknown.
    """

    pattern: str
    prices: GetAllowanceResultModelPatternsItemPrices
    max_output_tokens: int | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        pattern = self.pattern

        prices = self.prices.to_dict()

        max_output_tokens: int | None
        max_output_tokens = self.max_output_tokens

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "pattern": pattern,
                "prices": prices,
                "max_output_tokens": max_output_tokens,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.get_allowance_result_model_patterns_item_prices import GetAllowanceResultModelPatternsItemPrices  # noqa: PLC0415

        d = dict(src_dict)
        pattern = d.pop("pattern")

        prices = GetAllowanceResultModelPatternsItemPrices.from_dict(d.pop("prices"))

        def _parse_max_output_tokens(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        max_output_tokens = _parse_max_output_tokens(d.pop("max_output_tokens"))

        get_allowance_result_model_patterns_item = cls(
            pattern=pattern,
            prices=prices,
            max_output_tokens=max_output_tokens,
        )

        get_allowance_result_model_patterns_item.additional_properties = d
        return get_allowance_result_model_patterns_item

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
