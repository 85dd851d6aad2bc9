from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="FirstSteps")


@_attrs_define
class FirstSteps:
    """
    Attributes:
        group (bool): Whether the account has made a group.
        key (bool): Whether it has made a key besides its default key.
        gateway (bool): Whether the address of its gateway is known.
        call (bool): Whether a call was authorized with one of its keys.
    """

    group: bool
    key: bool
    gateway: bool
    call: bool
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        group = self.group

        key = self.key

        gateway = self.gateway

        call = self.call

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "group": group,
                "key": key,
                "gateway": gateway,
                "call": call,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        group = d.pop("group")

        key = d.pop("key")

        gateway = d.pop("gateway")

        call = d.pop("call")

        first_steps = cls(
            group=group,
            key=key,
            gateway=gateway,
            call=call,
        )

        first_steps.additional_properties = d
        return first_steps

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
