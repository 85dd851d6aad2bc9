from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="OverviewSpendProjected")


@_attrs_define
class OverviewSpendProjected:
    """What this month will have cost at its end if it goes on as it went so far: what is spent, divided by the part of the
    month that is over. `null` on its first day.

        Attributes:
            day (datetime.date): Last day of the month, a day in the zone of the account.
            spent (float | None): Spent by then, in yuan. `null` when not set.
    """

    day: datetime.date
    spent: float | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        day = self.day.isoformat()

        spent: float | None
        spent = self.spent

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "day": day,
                "spent": spent,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        day = datetime.date.fromisoformat(d.pop("day"))

        def _parse_spent(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        spent = _parse_spent(d.pop("spent"))

        overview_spend_projected = cls(
            day=day,
            spent=spent,
        )

        overview_spend_projected.additional_properties = d
        return overview_spend_projected

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
