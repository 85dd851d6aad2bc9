from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="DefaultLimits")


@_attrs_define
class DefaultLimits:
    """Limits that new keys start with.

    Attributes:
        budget (float | None | Unset): Total spending limit in yuan. 0 means no limit. `null` when not set.
        expiry_date (datetime.date | None | Unset): Last valid day, whole, in the time zone of the account, as YYYY-MM-
            DD, from the year 1000 on. `null` when not set.
        daily_limit (float | None | Unset): Spending limit per day in yuan. 0 means no limit. `null` when not set.
        monthly_limit (float | None | Unset): Spending limit per month in yuan. 0 means no limit. `null` when not set.
        input_price_limit (float | None | Unset): Highest allowed model input price in yuan per million tokens. 0 means
            no limit. `null` when not set.
        output_price_limit (float | None | Unset): Highest allowed model output price in yuan per million tokens. 0
            means no limit. `null` when not set.
    """

    budget: float | None | Unset = UNSET
    expiry_date: datetime.date | None | Unset = UNSET
    daily_limit: float | None | Unset = UNSET
    monthly_limit: float | None | Unset = UNSET
    input_price_limit: float | None | Unset = UNSET
    output_price_limit: float | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        budget: float | None | Unset
        if isinstance(self.budget, Unset):
            budget = UNSET
        else:
            budget = self.budget

        expiry_date: None | str | Unset
        if isinstance(self.expiry_date, Unset):
            expiry_date = UNSET
        elif isinstance(self.expiry_date, datetime.date):
            expiry_date = self.expiry_date.isoformat()
        else:
            expiry_date = self.expiry_date

        daily_limit: float | None | Unset
        if isinstance(self.daily_limit, Unset):
            daily_limit = UNSET
        else:
            daily_limit = self.daily_limit

        monthly_limit: float | None | Unset
        if isinstance(self.monthly_limit, Unset):
            monthly_limit = UNSET
        else:
            monthly_limit = self.monthly_limit

        input_price_limit: float | None | Unset
        if isinstance(self.input_price_limit, Unset):
            input_price_limit = UNSET
        else:
            input_price_limit = self.input_price_limit

        output_price_limit: float | None | Unset
        if isinstance(self.output_price_limit, Unset):
            output_price_limit = UNSET
        else:
            output_price_limit = self.output_price_limit

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

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_budget(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        budget = _parse_budget(d.pop("budget", UNSET))

        def _parse_expiry_date(data: object) -> datetime.date | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                expiry_date_type_0 = datetime.date.fromisoformat(data)

                return expiry_date_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None | Unset, data)

        expiry_date = _parse_expiry_date(d.pop("expiry_date", UNSET))

        def _parse_daily_limit(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        daily_limit = _parse_daily_limit(d.pop("daily_limit", UNSET))

        def _parse_monthly_limit(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        monthly_limit = _parse_monthly_limit(d.pop("monthly_limit", UNSET))

        def _parse_input_price_limit(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        input_price_limit = _parse_input_price_limit(d.pop("input_price_limit", UNSET))

        def _parse_output_price_limit(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        output_price_limit = _parse_output_price_limit(d.pop("output_price_limit", UNSET))

        default_limits = cls(
            budget=budget,
            expiry_date=expiry_date,
            daily_limit=daily_limit,
            monthly_limit=monthly_limit,
            input_price_limit=input_price_limit,
            output_price_limit=output_price_limit,
        )

        default_limits.additional_properties = d
        return default_limits

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
