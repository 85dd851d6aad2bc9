from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.group_details_differing_limits_item import GroupDetailsDifferingLimitsItem

if TYPE_CHECKING:
    from ..models.limits import Limits


T = TypeVar("T", bound="GroupDetails")


@_attrs_define
class GroupDetails:
    """A group, the limits that its keys share, and those that new keys start with.

    Attributes:
        id (str): Identifier of the group.
        name (str): Name of the group, 1 to 128 characters, unique within the account.
        description (str): Free text.
        created_at (int): Creation time, in whole seconds since 1970 (UTC).
        updated_at (int): Time of the last update, in whole seconds since 1970 (UTC).
        apikey_count (int): Number of keys in the group that are not revoked.
        shared_limits (Limits): Each limit; `null` where it is not set.
        differing_limits (list[GroupDetailsDifferingLimitsItem]): The limits that differ from key to key.
        spent_this_month (float): What its keys spent this month, in yuan; the month is that of the account's zone.
        defaults (Limits): Each limit; `null` where it is not set.
        apply_defaults (bool): Whether a key that is created without a limit takes the default.
        differing_key_count (int): How many keys have another limit than the defaults say.
    """

    id: str
    name: str
    description: str
    created_at: int
    updated_at: int
    apikey_count: int
    shared_limits: Limits
    differing_limits: list[GroupDetailsDifferingLimitsItem]
    spent_this_month: float
    defaults: Limits
    apply_defaults: bool
    differing_key_count: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        name = self.name

        description = self.description

        created_at = self.created_at

        updated_at = self.updated_at

        apikey_count = self.apikey_count

        shared_limits = self.shared_limits.to_dict()

        differing_limits = []
        for differing_limits_item_data in self.differing_limits:
            differing_limits_item = differing_limits_item_data.value
            differing_limits.append(differing_limits_item)

        spent_this_month = self.spent_this_month

        defaults = self.defaults.to_dict()

        apply_defaults = self.apply_defaults

        differing_key_count = self.differing_key_count

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
                "shared_limits": shared_limits,
                "differing_limits": differing_limits,
                "spent_this_month": spent_this_month,
                "defaults": defaults,
                "apply_defaults": apply_defaults,
                "differing_key_count": differing_key_count,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.limits import Limits  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        name = d.pop("name")

        description = d.pop("description")

        created_at = d.pop("created_at")

        updated_at = d.pop("updated_at")

        apikey_count = d.pop("apikey_count")

        shared_limits = Limits.from_dict(d.pop("shared_limits"))

        differing_limits = []
        _differing_limits = d.pop("differing_limits")
        for differing_limits_item_data in _differing_limits:
            differing_limits_item = GroupDetailsDifferingLimitsItem(differing_limits_item_data)

            differing_limits.append(differing_limits_item)

        spent_this_month = d.pop("spent_this_month")

        defaults = Limits.from_dict(d.pop("defaults"))

        apply_defaults = d.pop("apply_defaults")

        differing_key_count = d.pop("differing_key_count")

        group_details = cls(
            id=id,
            name=name,
            description=description,
            created_at=created_at,
            updated_at=updated_at,
            apikey_count=apikey_count,
            shared_limits=shared_limits,
            differing_limits=differing_limits,
            spent_this_month=spent_this_month,
            defaults=defaults,
            apply_defaults=apply_defaults,
            differing_key_count=differing_key_count,
        )

        group_details.additional_properties = d
        return group_details

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
