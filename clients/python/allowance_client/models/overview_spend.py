from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.overview_spend_days_item import OverviewSpendDaysItem
    from ..models.overview_spend_last_month import OverviewSpendLastMonth
    from ..models.overview_spend_last_month_same_days import OverviewSpendLastMonthSameDays
    from ..models.overview_spend_projected import OverviewSpendProjected
    from ..models.overview_spend_this_month import OverviewSpendThisMonth
    from ..models.overview_spend_today import OverviewSpendToday
    from ..models.overview_spend_yesterday import OverviewSpendYesterday


T = TypeVar("T", bound="OverviewSpend")


@_attrs_define
class OverviewSpend:
    """What the account spent. Days and months are those of its zone.

    Attributes:
        today (OverviewSpendToday): Today.
        yesterday (OverviewSpendYesterday): Yesterday, the whole day.
        this_month (OverviewSpendThisMonth): This month.
        last_month_same_days (OverviewSpendLastMonthSameDays): Last month up to the day with the number of today.
        last_month (OverviewSpendLastMonth): Last month.
        projected (OverviewSpendProjected): What this month will have cost at its end if it goes on as it went so far:
            what is spent, divided by the part of the month that is over. `null` on its first day.
        days (list[OverviewSpendDaysItem]): The days of the last 30 on which something was captured, in order.
    """

    today: OverviewSpendToday
    yesterday: OverviewSpendYesterday
    this_month: OverviewSpendThisMonth
    last_month_same_days: OverviewSpendLastMonthSameDays
    last_month: OverviewSpendLastMonth
    projected: OverviewSpendProjected
    days: list[OverviewSpendDaysItem]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        today = self.today.to_dict()

        yesterday = self.yesterday.to_dict()

        this_month = self.this_month.to_dict()

        last_month_same_days = self.last_month_same_days.to_dict()

        last_month = self.last_month.to_dict()

        projected = self.projected.to_dict()

        days = []
        for days_item_data in self.days:
            days_item = days_item_data.to_dict()
            days.append(days_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "today": today,
                "yesterday": yesterday,
                "this_month": this_month,
                "last_month_same_days": last_month_same_days,
                "last_month": last_month,
                "projected": projected,
                "days": days,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.overview_spend_days_item import OverviewSpendDaysItem  # noqa: PLC0415
        from ..models.overview_spend_last_month import OverviewSpendLastMonth  # noqa: PLC0415
        from ..models.overview_spend_last_month_same_days import OverviewSpendLastMonthSameDays  # noqa: PLC0415
        from ..models.overview_spend_projected import OverviewSpendProjected  # noqa: PLC0415
        from ..models.overview_spend_this_month import OverviewSpendThisMonth  # noqa: PLC0415
        from ..models.overview_spend_today import OverviewSpendToday  # noqa: PLC0415
        from ..models.overview_spend_yesterday import OverviewSpendYesterday  # noqa: PLC0415

        d = dict(src_dict)
        today = OverviewSpendToday.from_dict(d.pop("today"))

        yesterday = OverviewSpendYesterday.from_dict(d.pop("yesterday"))

        this_month = OverviewSpendThisMonth.from_dict(d.pop("this_month"))

        last_month_same_days = OverviewSpendLastMonthSameDays.from_dict(d.pop("last_month_same_days"))

        last_month = OverviewSpendLastMonth.from_dict(d.pop("last_month"))

        projected = OverviewSpendProjected.from_dict(d.pop("projected"))

        days = []
        _days = d.pop("days")
        for days_item_data in _days:
            days_item = OverviewSpendDaysItem.from_dict(days_item_data)

            days.append(days_item)

        overview_spend = cls(
            today=today,
            yesterday=yesterday,
            this_month=this_month,
            last_month_same_days=last_month_same_days,
            last_month=last_month,
            projected=projected,
            days=days,
        )

        overview_spend.additional_properties = d
        return overview_spend

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
