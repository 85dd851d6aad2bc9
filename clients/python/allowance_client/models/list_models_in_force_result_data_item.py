from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.list_models_in_force_result_data_item_source import ListModelsInForceResultDataItemSource

if TYPE_CHECKING:
    from ..models.list_models_in_force_result_data_item_prices import ListModelsInForceResultDataItemPrices


T = TypeVar("T", bound="ListModelsInForceResultDataItem")


@_attrs_define
class ListModelsInForceResultDataItem:
    """
    Attributes:
        name (str): The name of the model, or a pattern in which `*` stands for any characters.
        aliases (list[str]): Other names of it.
        source (ListModelsInForceResultDataItemSource): Whose catalogue has the price.
        prices (ListModelsInForceResultDataItemPrices): The prices in yuan per million tokens: price times rate, rounded
            half-even to 9 decimals.
        max_output_tokens (int | None): The most tokens that the model answers with; `null`: unknown.
    """

    name: str
    aliases: list[str]
    source: ListModelsInForceResultDataItemSource
    prices: ListModelsInForceResultDataItemPrices
    max_output_tokens: int | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        aliases = self.aliases

        source = self.source.value

        prices = self.prices.to_dict()

        max_output_tokens: int | None
        max_output_tokens = self.max_output_tokens

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "name": name,
                "aliases": aliases,
                "source": source,
                "prices": prices,
                "max_output_tokens": max_output_tokens,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.list_models_in_force_result_data_item_prices import ListModelsInForceResultDataItemPrices  # noqa: PLC0415

        d = dict(src_dict)
        name = d.pop("name")

        aliases = cast(list[str], d.pop("aliases"))

        source = ListModelsInForceResultDataItemSource(d.pop("source"))

        prices = ListModelsInForceResultDataItemPrices.from_dict(d.pop("prices"))

        def _parse_max_output_tokens(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        max_output_tokens = _parse_max_output_tokens(d.pop("max_output_tokens"))

        list_models_in_force_result_data_item = cls(
            name=name,
            aliases=aliases,
            source=source,
            prices=prices,
            max_output_tokens=max_output_tokens,
        )

        list_models_in_force_result_data_item.additional_properties = d
        return list_models_in_force_result_data_item

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
