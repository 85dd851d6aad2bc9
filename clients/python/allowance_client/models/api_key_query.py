from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.api_key_query_look import ApiKeyQueryLook
from ..models.api_key_query_order import ApiKeyQueryOrder
from ..models.api_key_query_sort import ApiKeyQuerySort
from ..models.api_key_status import ApiKeyStatus
from ..types import UNSET, Unset

T = TypeVar("T", bound="ApiKeyQuery")


@_attrs_define
class ApiKeyQuery:
    """Filter and order of the list of keys.

    Attributes:
        search (str | Unset): A part of the name or of the `apikey_id`, in any letter case.
        group_id (str | Unset): Only keys of this group; `none`: only those in no group.
        status (ApiKeyStatus | Unset): What the key is good for at this moment.
        look (ApiKeyQueryLook | Unset): Only keys in one of these conditions: over 80 % of a limit, never used, idle for
            30 days, expiring within 7 days, without any limit of spend, or with another limit than the defaults of its
            group.
        sort (ApiKeyQuerySort | Unset): What to order by. `created_at` when it is not sent. `share_used`: the greatest
            share that is spent of any limit. Unset values come last.
        order (ApiKeyQueryOrder | Unset): `desc` when it is not sent.
    """

    search: str | Unset = UNSET
    group_id: str | Unset = UNSET
    status: ApiKeyStatus | Unset = UNSET
    look: ApiKeyQueryLook | Unset = UNSET
    sort: ApiKeyQuerySort | Unset = UNSET
    order: ApiKeyQueryOrder | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        search = self.search

        group_id = self.group_id

        status: str | Unset = UNSET
        if not isinstance(self.status, Unset):
            status = self.status.value

        look: str | Unset = UNSET
        if not isinstance(self.look, Unset):
            look = self.look.value

        sort: str | Unset = UNSET
        if not isinstance(self.sort, Unset):
            sort = self.sort.value

        order: str | Unset = UNSET
        if not isinstance(self.order, Unset):
            order = self.order.value

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
        if sort is not UNSET:
            field_dict["sort"] = sort
        if order is not UNSET:
            field_dict["order"] = order

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
        look: ApiKeyQueryLook | Unset
        if isinstance(_look, Unset):
            look = UNSET
        else:
            look = ApiKeyQueryLook(_look)

        _sort = d.pop("sort", UNSET)
        sort: ApiKeyQuerySort | Unset
        if isinstance(_sort, Unset):
            sort = UNSET
        else:
            sort = ApiKeyQuerySort(_sort)

        _order = d.pop("order", UNSET)
        order: ApiKeyQueryOrder | Unset
        if isinstance(_order, Unset):
            order = UNSET
        else:
            order = ApiKeyQueryOrder(_order)

        api_key_query = cls(
            search=search,
            group_id=group_id,
            status=status,
            look=look,
            sort=sort,
            order=order,
        )

        return api_key_query
