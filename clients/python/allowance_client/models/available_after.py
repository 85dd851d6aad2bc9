from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="AvailableAfter")


@_attrs_define
class AvailableAfter:
    """What is left after this answer: limit − spent − held. All `null` where there is no such key.

    Attributes:
        budget (float | None): What is left of the total budget in yuan; `null`: no limit.
        daily (float | None): What is left of the day's limit in yuan; `null`: no limit.
        monthly (float | None): What is left of the month's limit in yuan; `null`: no limit.
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

        available_after = cls(
            budget=budget,
            daily=daily,
            monthly=monthly,
        )

        available_after.additional_properties = d
        return available_after

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
