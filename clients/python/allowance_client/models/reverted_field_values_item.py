from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="RevertedFieldValuesItem")


@_attrs_define
class RevertedFieldValuesItem:
    """
    Attributes:
        before (bool | float | None | str): The value that it has now.
        after (bool | float | None | str): The value that it would have.
        key_count (int): On how many keys.
    """

    before: bool | float | None | str
    after: bool | float | None | str
    key_count: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        before: bool | float | None | str
        before = self.before

        after: bool | float | None | str
        after = self.after

        key_count = self.key_count

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "before": before,
                "after": after,
                "key_count": key_count,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_before(data: object) -> bool | float | None | str:
            if data is None:
                return data
            return cast(bool | float | None | str, data)

        before = _parse_before(d.pop("before"))

        def _parse_after(data: object) -> bool | float | None | str:
            if data is None:
                return data
            return cast(bool | float | None | str, data)

        after = _parse_after(d.pop("after"))

        key_count = d.pop("key_count")

        reverted_field_values_item = cls(
            before=before,
            after=after,
            key_count=key_count,
        )

        reverted_field_values_item.additional_properties = d
        return reverted_field_values_item

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
