from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="Group")


@_attrs_define
class Group:
    """A group of API keys.

    Attributes:
        id (str): Identifier of the group.
        name (str): Name of the group, 1 to 128 characters, unique within the account.
        description (str): Free text.
        created_at (int): Creation time, in whole seconds since 1970 (UTC).
        updated_at (int): Time of the last update, in whole seconds since 1970 (UTC).
        apikey_count (int): Number of keys in the group that are not revoked.
    """

    id: str
    name: str
    description: str
    created_at: int
    updated_at: int
    apikey_count: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        name = self.name

        description = self.description

        created_at = self.created_at

        updated_at = self.updated_at

        apikey_count = self.apikey_count

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "name": name,
                "description": description,
                "created_at": created_at,
                "updated_at": updated_at,
                "apikey_count": apikey_count,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        name = d.pop("name")

        description = d.pop("description")

        created_at = d.pop("created_at")

        updated_at = d.pop("updated_at")

        apikey_count = d.pop("apikey_count")

        group = cls(
            id=id,
            name=name,
            description=description,
            created_at=created_at,
            updated_at=updated_at,
            apikey_count=apikey_count,
        )

        group.additional_properties = d
        return group

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
