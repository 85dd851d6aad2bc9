from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="DeleteGroupInput")


@_attrs_define
class DeleteGroupInput:
    """
    Attributes:
        ungroup_keys (bool | Unset): `true`: the keys of the group stay, in no group. Otherwise a group with keys is not
            deleted.
    """

    ungroup_keys: bool | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        ungroup_keys = self.ungroup_keys

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if ungroup_keys is not UNSET:
            field_dict["ungroup_keys"] = ungroup_keys

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        ungroup_keys = d.pop("ungroup_keys", UNSET)

        delete_group_input = cls(
            ungroup_keys=ungroup_keys,
        )

        delete_group_input.additional_properties = d
        return delete_group_input

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
