from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="SetApiKeyLimitsInput")


@_attrs_define
class SetApiKeyLimitsInput:
    """
    Attributes:
        budget (float | Unset): Total spending limit in yuan. 0 means no limit.
        expiry_date (datetime.date | Unset): Last valid day, whole, in the time zone of the account, as YYYY-MM-DD, from
            the year 1000 on.
        daily_limit (float | Unset): Spending limit per day in yuan. 0 means no limit.
        monthly_limit (float | Unset): Spending limit per month in yuan. 0 means no limit.
        input_price_limit (float | Unset): Highest allowed model input price in yuan per million tokens. 0 means no
            limit.
        output_price_limit (float | Unset): Highest allowed model output price in yuan per million tokens. 0 means no
            limit.
        version (int | Unset): The `version` of the key that the change is based on. When the key has another by now, it
            is 409.
    """

    budget: float | Unset = UNSET
    expiry_date: datetime.date | Unset = UNSET
    daily_limit: float | Unset = UNSET
    monthly_limit: float | Unset = UNSET
    input_price_limit: float | Unset = UNSET
    output_price_limit: float | Unset = UNSET
    version: int | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        budget = self.budget

        expiry_date: str | Unset = UNSET
        if not isinstance(self.expiry_date, Unset):
            expiry_date = self.expiry_date.isoformat()

        daily_limit = self.daily_limit

        monthly_limit = self.monthly_limit

        input_price_limit = self.input_price_limit

        output_price_limit = self.output_price_limit

        version = self.version

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if budget is not UNSET:
            field_dict["budget"] = budget
        if expiry_date is not UNSET:
            field_dict["expiry_date"] = expiry_date
        if daily_limit is not UNSET:
            field_dict["daily_limit"] = daily_limit
        if monthly_limit is not UNSET:
            field_dict["monthly_limit"] = monthly_limit
        if input_price_limit is not UNSET:
            field_dict["input_price_limit"] = input_price_limit
        if output_price_limit is not UNSET:
            field_dict["output_price_limit"] = output_price_limit
        if version is not UNSET:
            field_dict["version"] = version

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        budget = d.pop("budget", UNSET)

        _expiry_date = d.pop("expiry_date", UNSET)
        expiry_date: datetime.date | Unset
        if isinstance(_expiry_date, Unset):
            expiry_date = UNSET
        else:
            expiry_date = datetime.date.fromisoformat(_expiry_date)

        daily_limit = d.pop("daily_limit", UNSET)

        monthly_limit = d.pop("monthly_limit", UNSET)

        input_price_limit = d.pop("input_price_limit", UNSET)

        output_price_limit = d.pop("output_price_limit", UNSET)

        version = d.pop("version", UNSET)

        set_api_key_limits_input = cls(
            budget=budget,
            expiry_date=expiry_date,
            daily_limit=daily_limit,
            monthly_limit=monthly_limit,
            input_price_limit=input_price_limit,
            output_price_limit=output_price_limit,
            version=version,
        )

        set_api_key_limits_input.additional_properties = d
        return set_api_key_limits_input

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
