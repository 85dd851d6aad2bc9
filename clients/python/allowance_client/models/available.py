from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="Available")


@_attrs_define
class Available:
    """What is left of each limit: limit − spent − held; `null` where there is no limit.

    Attributes:
        budget (float | None): Left of the total budget, in yuan. `null` when not set.
        daily (float | None): Left of the day's limit, in yuan. `null` when not set.
        monthly (float | None): Left of the month's limit, in yuan. `null` when not set.
    """

    budget: float | None
    daily: float | None
    monthly: float | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        budget: float | None
        budget = self.budget

        daily: float | None
        daily = self.daily

        monthly: float | None
        monthly = self.monthly

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "budget": budget,
                "daily": daily,
                "monthly": monthly,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_budget(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        budget = _parse_budget(d.pop("budget"))

        def _parse_daily(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        daily = _parse_daily(d.pop("daily"))

        def _parse_monthly(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        monthly = _parse_monthly(d.pop("monthly"))

        available = cls(
            budget=budget,
            daily=daily,
            monthly=monthly,
        )

        available.additional_properties = d
        return available

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
