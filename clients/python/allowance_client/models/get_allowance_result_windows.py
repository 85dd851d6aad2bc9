from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.allowance_window import AllowanceWindow


T = TypeVar("T", bound="GetAllowanceResultWindows")


@_attrs_define
class GetAllowanceResultWindows:
    """What is spent, held and left: ever, today, this month. Days and months are those of the account's time zone.

    Attributes:
        budget (AllowanceWindow): What is spent, held and left of one limit.
        daily (AllowanceWindow): What is spent, held and left of one limit.
        monthly (AllowanceWindow): What is spent, held and left of one limit.
    """

    budget: AllowanceWindow
    daily: AllowanceWindow
    monthly: AllowanceWindow
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        budget = self.budget.to_dict()

        daily = self.daily.to_dict()

        monthly = self.monthly.to_dict()

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
        from ..models.allowance_window import AllowanceWindow  # noqa: PLC0415

        d = dict(src_dict)
        budget = AllowanceWindow.from_dict(d.pop("budget"))

        daily = AllowanceWindow.from_dict(d.pop("daily"))

        monthly = AllowanceWindow.from_dict(d.pop("monthly"))

        get_allowance_result_windows = cls(
            budget=budget,
            daily=daily,
            monthly=monthly,
        )

        get_allowance_result_windows.additional_properties = d
        return get_allowance_result_windows

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
