from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.named_api_key import NamedApiKey


T = TypeVar("T", bound="ActionPreview")


@_attrs_define
class ActionPreview:
    """With `dry_run`: what would happen.

    Attributes:
        key_count (int): How many keys the action fits.
        changed_count (int): How many of them are not so yet.
        blocked_count (int): How many keys that work now would be refused.
        blocked (list[NamedApiKey]): The first 20 of them, by name.
        spent (float): What the keys that the action fits have spent, ever, in yuan.
        shared_group_id (None | str | Unset): The group that all of them are in; `null`: none of them is in one. Absent:
            they differ.
    """

    key_count: int
    changed_count: int
    blocked_count: int
    blocked: list[NamedApiKey]
    spent: float
    shared_group_id: None | str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        key_count = self.key_count

        changed_count = self.changed_count

        blocked_count = self.blocked_count

        blocked = []
        for blocked_item_data in self.blocked:
            blocked_item = blocked_item_data.to_dict()
            blocked.append(blocked_item)

        spent = self.spent

        shared_group_id: None | str | Unset
        if isinstance(self.shared_group_id, Unset):
            shared_group_id = UNSET
        else:
            shared_group_id = self.shared_group_id

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "key_count": key_count,
                "changed_count": changed_count,
                "blocked_count": blocked_count,
                "blocked": blocked,
                "spent": spent,
            }
        )
        if shared_group_id is not UNSET:
            field_dict["shared_group_id"] = shared_group_id

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.named_api_key import NamedApiKey  # noqa: PLC0415

        d = dict(src_dict)
        key_count = d.pop("key_count")

        changed_count = d.pop("changed_count")

        blocked_count = d.pop("blocked_count")

        blocked = []
        _blocked = d.pop("blocked")
        for blocked_item_data in _blocked:
            blocked_item = NamedApiKey.from_dict(blocked_item_data)

            blocked.append(blocked_item)

        spent = d.pop("spent")

        def _parse_shared_group_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        shared_group_id = _parse_shared_group_id(d.pop("shared_group_id", UNSET))

        action_preview = cls(
            key_count=key_count,
            changed_count=changed_count,
            blocked_count=blocked_count,
            blocked=blocked,
            spent=spent,
            shared_group_id=shared_group_id,
        )

        action_preview.additional_properties = d
        return action_preview

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
