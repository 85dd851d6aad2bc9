from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.list_models_result_data_item_source import ListModelsResultDataItemSource
from ..models.list_models_result_data_item_state import ListModelsResultDataItemState

if TYPE_CHECKING:
    from ..models.list_models_result_data_item_prices import ListModelsResultDataItemPrices


T = TypeVar("T", bound="ListModelsResultDataItem")


@_attrs_define
class ListModelsResultDataItem:
    """
    Attributes:
        model_id (str): Identifier of the price.
        name (str): Name of the model, 1 to 200 characters, or a pattern in which `*` stands for any characters.
        source (ListModelsResultDataItemSource): Whose price it is: of the operator, for every account, or of this
            account.
        aliases (list[str]): Other names of the model.
        currency (str): ISO 4217 code of the currency of the prices.
        rate (float): Yuan for one unit of the currency; 1 for yuan.
        input_price (float): Price of a million input tokens, in the currency. 0 is free of charge.
        output_price (float): Price of a million output tokens, in the currency. 0 is free of charge.
        cached_input_price (float | None): Price of a million input tokens that the model has read before, in the
            currency; `null`: as `input_price`.
        max_output_tokens (int | None): The most tokens that the model answers with; `null`: unknown.
        prices (ListModelsResultDataItemPrices): The prices in yuan per million tokens: price times rate, rounded half-
            even to 9 decimals.
        valid_from (datetime.date): First day on which the price counts, in the time zone of the account.
        state (ListModelsResultDataItemState): Whether it counts today: `in_force`; `upcoming`: it begins later;
            `superseded`: one of the same name began after it; `overridden`: the account has a price of its own for the
            model.
        overrides_operator (bool): Whether it is a price of the account that counts today in place of one of the
            operator.
        updated_at (int): Time of the last change, in whole seconds since 1970 (UTC).
    """

    model_id: str
    name: str
    source: ListModelsResultDataItemSource
    aliases: list[str]
    currency: str
    rate: float
    input_price: float
    output_price: float
    cached_input_price: float | None
    max_output_tokens: int | None
    prices: ListModelsResultDataItemPrices
    valid_from: datetime.date
    state: ListModelsResultDataItemState
    overrides_operator: bool
    updated_at: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        model_id = self.model_id

        name = self.name

        source = self.source.value

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

        valid_from = self.valid_from.isoformat()

        state = self.state.value

        overrides_operator = self.overrides_operator

        updated_at = self.updated_at

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "model_id": model_id,
                "name": name,
                "source": source,
                "aliases": aliases,
                "currency": currency,
                "rate": rate,
                "input_price": input_price,
                "output_price": output_price,
                "cached_input_price": cached_input_price,
                "max_output_tokens": max_output_tokens,
                "prices": prices,
                "valid_from": valid_from,
                "state": state,
                "overrides_operator": overrides_operator,
                "updated_at": updated_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.list_models_result_data_item_prices import ListModelsResultDataItemPrices  # noqa: PLC0415

        d = dict(src_dict)
        model_id = d.pop("model_id")

        name = d.pop("name")

        source = ListModelsResultDataItemSource(d.pop("source"))

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

        prices = ListModelsResultDataItemPrices.from_dict(d.pop("prices"))

        valid_from = datetime.date.fromisoformat(d.pop("valid_from"))

        state = ListModelsResultDataItemState(d.pop("state"))

        overrides_operator = d.pop("overrides_operator")

        updated_at = d.pop("updated_at")

        list_models_result_data_item = cls(
            model_id=model_id,
            name=name,
            source=source,
            aliases=aliases,
            currency=currency,
            rate=rate,
            input_price=input_price,
            output_price=output_price,
            cached_input_price=cached_input_price,
            max_output_tokens=max_output_tokens,
            prices=prices,
            valid_from=valid_from,
            state=state,
            overrides_operator=overrides_operator,
            updated_at=updated_at,
        )

        list_models_result_data_item.additional_properties = d
        return list_models_result_data_item

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
