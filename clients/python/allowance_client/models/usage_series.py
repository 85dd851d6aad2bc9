from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.spent_of_day import SpentOfDay


T = TypeVar("T", bound="UsageSeries")


@_attrs_define
class UsageSeries:
    """What one group, one key or one model spent, by day.

    Attributes:
        id (None | str): The group, the key, or the name of the model; `null`: keys in no group, captures without a
            model, or all others together.
        name (None | str): Its name; `null`: keys in no group, captures without a model, or all others together.
        is_rest (bool): Whether it is all others together.
        total (float): Spent in the range, in yuan.
        days (list[SpentOfDay]): The days on which something was captured, in order.
    """

    id: None | str
    name: None | str
    is_rest: bool
    total: float
    days: list[SpentOfDay]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id: None | str
        id = self.id

        name: None | str
        name = self.name

        is_rest = self.is_rest

        total = self.total

        days = []
        for days_item_data in self.days:
            days_item = days_item_data.to_dict()
            days.append(days_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "name": name,
                "is_rest": is_rest,
                "total": total,
                "days": days,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.spent_of_day import SpentOfDay  # noqa: PLC0415

        d = dict(src_dict)

        def _parse_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        id = _parse_id(d.pop("id"))

        def _parse_name(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        name = _parse_name(d.pop("name"))

        is_rest = d.pop("is_rest")

        total = d.pop("total")

        days = []
        _days = d.pop("days")
        for days_item_data in _days:
            days_item = SpentOfDay.from_dict(days_item_data)

            days.append(days_item)

        usage_series = cls(
            id=id,
            name=name,
            is_rest=is_rest,
            total=total,
            days=days,
        )

        usage_series.additional_properties = d
        return usage_series

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
