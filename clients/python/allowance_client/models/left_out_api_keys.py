from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="LeftOutApiKeys")


@_attrs_define
class LeftOutApiKeys:
    """Keys that match and cannot be changed so, for one reason.

    Attributes:
        code (str): Names the reason. It never changes.
        error (str): The reason, for people.
        key_count (int): How many keys are left out for it.
    """

    code: str
    error: str
    key_count: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        code = self.code

        error = self.error

        key_count = self.key_count

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "code": code,
                "error": error,
                "key_count": key_count,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        code = d.pop("code")

        error = d.pop("error")

        key_count = d.pop("key_count")

        left_out_api_keys = cls(
            code=code,
            error=error,
            key_count=key_count,
        )

        left_out_api_keys.additional_properties = d
        return left_out_api_keys

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
