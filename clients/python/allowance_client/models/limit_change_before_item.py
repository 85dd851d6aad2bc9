from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="LimitChangeBeforeItem")


@_attrs_define
class LimitChangeBeforeItem:
    """
    Attributes:
        value (float | None | str): A value that it has now; `null` is unset.
        key_count (int): How many keys have it.
        after (float | None | str | Unset): With a relative change: what it would become.
    """

    value: float | None | str
    key_count: int
    after: float | None | str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        value: float | None | str
        value = self.value

        key_count = self.key_count

        after: float | None | str | Unset
        if isinstance(self.after, Unset):
            after = UNSET
        else:
            after = self.after

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "value": value,
                "key_count": key_count,
            }
        )
        if after is not UNSET:
            field_dict["after"] = after

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_value(data: object) -> float | None | str:
            if data is None:
                return data
            return cast(float | None | str, data)

        value = _parse_value(d.pop("value"))

        key_count = d.pop("key_count")

        def _parse_after(data: object) -> float | None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | str | Unset, data)

        after = _parse_after(d.pop("after", UNSET))

        limit_change_before_item = cls(
            value=value,
            key_count=key_count,
            after=after,
        )

        limit_change_before_item.additional_properties = d
        return limit_change_before_item

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
