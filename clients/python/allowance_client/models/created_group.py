from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="CreatedGroup")


@_attrs_define
class CreatedGroup:
    """
    Attributes:
        success (bool): Always true.
        message (str): Confirmation that includes the name of the group.
        group_id (str): Identifier of the group.
        group_name (str): Name of the group, 1 to 128 characters, unique within the account.
    """

    success: bool
    message: str
    group_id: str
    group_name: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        success = self.success

        message = self.message

        group_id = self.group_id

        group_name = self.group_name

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "success": success,
                "message": message,
                "group_id": group_id,
                "group_name": group_name,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        success = d.pop("success")

        message = d.pop("message")

        group_id = d.pop("group_id")

        group_name = d.pop("group_name")

        created_group = cls(
            success=success,
            message=message,
            group_id=group_id,
            group_name=group_name,
        )

        created_group.additional_properties = d
        return created_group

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
