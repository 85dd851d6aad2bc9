from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.default_limits import DefaultLimits
    from ..models.group_before import GroupBefore


T = TypeVar("T", bound="UpdateGroupInput")


@_attrs_define
class UpdateGroupInput:
    """
    Attributes:
        name (str | Unset): Name of the group, 1 to 128 characters, unique within the account.
        description (str | Unset): Free text.
        defaults (DefaultLimits | Unset): Limits that new keys start with.
        apply_defaults (bool | Unset): Whether a key that is created without a limit takes the default.
        before (GroupBefore | Unset): What the change is based on: values that the group had when it was read. Where one
            that changes has another value by now, nothing is changed.
    """

    name: str | Unset = UNSET
    description: str | Unset = UNSET
    defaults: DefaultLimits | Unset = UNSET
    apply_defaults: bool | Unset = UNSET
    before: GroupBefore | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        description = self.description

        defaults: dict[str, Any] | Unset = UNSET
        if not isinstance(self.defaults, Unset):
            defaults = self.defaults.to_dict()

        apply_defaults = self.apply_defaults

        before: dict[str, Any] | Unset = UNSET
        if not isinstance(self.before, Unset):
            before = self.before.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if name is not UNSET:
            field_dict["name"] = name
        if description is not UNSET:
            field_dict["description"] = description
        if defaults is not UNSET:
            field_dict["defaults"] = defaults
        if apply_defaults is not UNSET:
            field_dict["apply_defaults"] = apply_defaults
        if before is not UNSET:
            field_dict["before"] = before

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.default_limits import DefaultLimits  # noqa: PLC0415
        from ..models.group_before import GroupBefore  # noqa: PLC0415

        d = dict(src_dict)
        name = d.pop("name", UNSET)

        description = d.pop("description", UNSET)

        _defaults = d.pop("defaults", UNSET)
        defaults: DefaultLimits | Unset
        if isinstance(_defaults, Unset):
            defaults = UNSET
        else:
            defaults = DefaultLimits.from_dict(_defaults)

        apply_defaults = d.pop("apply_defaults", UNSET)

        _before = d.pop("before", UNSET)
        before: GroupBefore | Unset
        if isinstance(_before, Unset):
            before = UNSET
        else:
            before = GroupBefore.from_dict(_before)

        update_group_input = cls(
            name=name,
            description=description,
            defaults=defaults,
            apply_defaults=apply_defaults,
            before=before,
        )

        update_group_input.additional_properties = d
        return update_group_input

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
