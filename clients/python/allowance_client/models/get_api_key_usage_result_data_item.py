from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="GetApiKeyUsageResultDataItem")


@_attrs_define
class GetApiKeyUsageResultDataItem:
    """
    Attributes:
        day (datetime.date): The day, a day in the zone of the account.
        spent (float): Spent on that day, in yuan.
        captures (int): Number of captures.
    """

    day: datetime.date
    spent: float
    captures: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        day = self.day.isoformat()

        spent = self.spent

        captures = self.captures

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "day": day,
                "spent": spent,
                "captures": captures,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        day = datetime.date.fromisoformat(d.pop("day"))

        spent = d.pop("spent")

        captures = d.pop("captures")

        get_api_key_usage_result_data_item = cls(
            day=day,
            spent=spent,
            captures=captures,
        )

        get_api_key_usage_result_data_item.additional_properties = d
        return get_api_key_usage_result_data_item

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
