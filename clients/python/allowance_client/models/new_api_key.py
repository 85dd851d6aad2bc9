from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="NewApiKey")


@_attrs_define
class NewApiKey:
    """
    Attributes:
        apikey (str): The whole key value. It is shown this once. Its first 10 characters are the `apikey_id`.
        name (str): Label of the key, 1 to 128 characters.
        group_id (None | str): Group that the key belongs to. `null` when not set.
        budget (float | None): Total spending limit in yuan. 0 means no limit. `null` when not set.
        expiry_date (datetime.date | None): Last valid day, whole, in the time zone of the account, as YYYY-MM-DD, from
            the year 1000 on. `null` when not set.
        daily_limit (float | None): Spending limit per day in yuan. 0 means no limit. `null` when not set.
        monthly_limit (float | None): Spending limit per month in yuan. 0 means no limit. `null` when not set.
        input_price_limit (float | None): Highest allowed model input price in yuan per million tokens. 0 means no
            limit. `null` when not set.
        output_price_limit (float | None): Highest allowed model output price in yuan per million tokens. 0 means no
            limit. `null` when not set.
    """

    apikey: str
    name: str
    group_id: None | str
    budget: float | None
    expiry_date: datetime.date | None
    daily_limit: float | None
    monthly_limit: float | None
    input_price_limit: float | None
    output_price_limit: float | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        apikey = self.apikey

        name = self.name

        group_id: None | str
        group_id = self.group_id

        budget: float | None
        budget = self.budget

        expiry_date: None | str
        if isinstance(self.expiry_date, datetime.date):
            expiry_date = self.expiry_date.isoformat()
        else:
            expiry_date = self.expiry_date

        daily_limit: float | None
        daily_limit = self.daily_limit

        monthly_limit: float | None
        monthly_limit = self.monthly_limit

        input_price_limit: float | None
        input_price_limit = self.input_price_limit

        output_price_limit: float | None
        output_price_limit = self.output_price_limit

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "apikey": apikey,
                "name": name,
                "group_id": group_id,
                "budget": budget,
                "expiry_date": expiry_date,
                "daily_limit": daily_limit,
                "monthly_limit": monthly_limit,
                "input_price_limit": input_price_limit,
                "output_price_limit": output_price_limit,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        apikey = d.pop("apikey")

        name = d.pop("name")

        def _parse_group_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        group_id = _parse_group_id(d.pop("group_id"))

        def _parse_budget(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        budget = _parse_budget(d.pop("budget"))

        def _parse_expiry_date(data: object) -> datetime.date | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                expiry_date_type_0 = datetime.date.fromisoformat(data)

                return expiry_date_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None, data)

        expiry_date = _parse_expiry_date(d.pop("expiry_date"))

        def _parse_daily_limit(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        daily_limit = _parse_daily_limit(d.pop("daily_limit"))

        def _parse_monthly_limit(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        monthly_limit = _parse_monthly_limit(d.pop("monthly_limit"))

        def _parse_input_price_limit(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        input_price_limit = _parse_input_price_limit(d.pop("input_price_limit"))

        def _parse_output_price_limit(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        output_price_limit = _parse_output_price_limit(d.pop("output_price_limit"))

        new_api_key = cls(
            apikey=apikey,
            name=name,
            group_id=group_id,
            budget=budget,
            expiry_date=expiry_date,
            daily_limit=daily_limit,
            monthly_limit=monthly_limit,
            input_price_limit=input_price_limit,
            output_price_limit=output_price_limit,
        )

        new_api_key.additional_properties = d
        return new_api_key

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
