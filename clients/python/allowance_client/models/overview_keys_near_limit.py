from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="OverviewKeysNearLimit")


@_attrs_define
class OverviewKeysNearLimit:
    """Active keys that spent 80 % of a limit or more.

    Attributes:
        count (int): How many, at most 10000.
        is_exact (bool): `false`: there may be more.
    """

    count: int
    is_exact: bool
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        count = self.count

        is_exact = self.is_exact

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "count": count,
                "is_exact": is_exact,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        count = d.pop("count")

        is_exact = d.pop("is_exact")

        overview_keys_near_limit = cls(
            count=count,
            is_exact=is_exact,
        )

        overview_keys_near_limit.additional_properties = d
        return overview_keys_near_limit

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
