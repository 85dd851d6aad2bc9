from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.api_key_filter_look import ApiKeyFilterLook
from ..models.api_key_status import ApiKeyStatus
from ..types import UNSET, Unset

T = TypeVar("T", bound="ApiKeyFilter")


@_attrs_define
class ApiKeyFilter:
    """Filters of the list of keys.

    Attributes:
        search (str | Unset): A part of the name or of the `apikey_id`, in any letter case.
        group_id (str | Unset): Only keys of this group; `none`: only those in no group.
        status (ApiKeyStatus | Unset): What the key is good for at this moment.
        look (ApiKeyFilterLook | Unset): Only keys in one of these conditions: over 80 % of a limit, never used, idle
            for 30 days, expiring within 7 days, without any limit of spend, or with another limit than the defaults of its
            group.
    """

    search: str | Unset = UNSET
    group_id: str | Unset = UNSET
    status: ApiKeyStatus | Unset = UNSET
    look: ApiKeyFilterLook | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        search = self.search

        group_id = self.group_id

        status: str | Unset = UNSET
        if not isinstance(self.status, Unset):
            status = self.status.value

        look: str | Unset = UNSET
        if not isinstance(self.look, Unset):
            look = self.look.value

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if search is not UNSET:
            field_dict["search"] = search
        if group_id is not UNSET:
            field_dict["group_id"] = group_id
        if status is not UNSET:
            field_dict["status"] = status
        if look is not UNSET:
            field_dict["look"] = look

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        search = d.pop("search", UNSET)

        group_id = d.pop("group_id", UNSET)

        _status = d.pop("status", UNSET)
        status: ApiKeyStatus | Unset
        if isinstance(_status, Unset):
            status = UNSET
        else:
            status = ApiKeyStatus(_status)

        _look = d.pop("look", UNSET)
        look: ApiKeyFilterLook | Unset
        if isinstance(_look, Unset):
            look = UNSET
        else:
            look = ApiKeyFilterLook(_look)

        api_key_filter = cls(
            search=search,
            group_id=group_id,
            status=status,
            look=look,
        )

        return api_key_filter
