from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="NotReverted")


@_attrs_define
class NotReverted:
    """A key, or a group, that stays as it is.

    Attributes:
        apikey_id (None | str): The key; `null` for a group.
        group_id (None | str): The group; `null` for a key.
        name (None | str): Its name.
        code (str): Names the reason.
        error (str): Why it stays as it is.
    """

    apikey_id: None | str
    group_id: None | str
    name: None | str
    code: str
    error: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        apikey_id: None | str
        apikey_id = self.apikey_id

        group_id: None | str
        group_id = self.group_id

        name: None | str
        name = self.name

        code = self.code

        error = self.error

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "apikey_id": apikey_id,
                "group_id": group_id,
                "name": name,
                "code": code,
                "error": error,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_apikey_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        apikey_id = _parse_apikey_id(d.pop("apikey_id"))

        def _parse_group_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        group_id = _parse_group_id(d.pop("group_id"))

        def _parse_name(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        name = _parse_name(d.pop("name"))

        code = d.pop("code")

        error = d.pop("error")

        not_reverted = cls(
            apikey_id=apikey_id,
            group_id=group_id,
            name=name,
            code=code,
            error=error,
        )

        not_reverted.additional_properties = d
        return not_reverted

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
