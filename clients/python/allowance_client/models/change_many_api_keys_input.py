from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.change_many_api_keys_input_action import ChangeManyApiKeysInputAction
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.api_key_filter import ApiKeyFilter


T = TypeVar("T", bound="ChangeManyApiKeysInput")


@_attrs_define
class ChangeManyApiKeysInput:
    """
    Attributes:
        action (ChangeManyApiKeysInputAction): What to do with each of the keys.
        apikey_ids (list[str] | Unset): The keys, at most 1000.
        filter_ (ApiKeyFilter | Unset): Filters of the list of keys.
        after (str | Unset): With `filter`: `next` of the call before, to go on behind it.
        request_id (str | Unset): A name of your own for the change. Sent again, it changes nothing more, and answers
            how many keys it has changed. Another change with it is 400.
        dry_run (bool | Unset): `true`: change nothing, and answer what would happen.
        group_id (None | str | Unset): For `move`: the group to move them to; `null`: no group.
    """

    action: ChangeManyApiKeysInputAction
    apikey_ids: list[str] | Unset = UNSET
    filter_: ApiKeyFilter | Unset = UNSET
    after: str | Unset = UNSET
    request_id: str | Unset = UNSET
    dry_run: bool | Unset = UNSET
    group_id: None | str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        action = self.action.value

        apikey_ids: list[str] | Unset = UNSET
        if not isinstance(self.apikey_ids, Unset):
            apikey_ids = self.apikey_ids

        filter_: dict[str, Any] | Unset = UNSET
        if not isinstance(self.filter_, Unset):
            filter_ = self.filter_.to_dict()

        after = self.after

        request_id = self.request_id

        dry_run = self.dry_run

        group_id: None | str | Unset
        if isinstance(self.group_id, Unset):
            group_id = UNSET
        else:
            group_id = self.group_id

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "action": action,
            }
        )
        if apikey_ids is not UNSET:
            field_dict["apikey_ids"] = apikey_ids
        if filter_ is not UNSET:
            field_dict["filter"] = filter_
        if after is not UNSET:
            field_dict["after"] = after
        if request_id is not UNSET:
            field_dict["request_id"] = request_id
        if dry_run is not UNSET:
            field_dict["dry_run"] = dry_run
        if group_id is not UNSET:
            field_dict["group_id"] = group_id

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.api_key_filter import ApiKeyFilter  # noqa: PLC0415

        d = dict(src_dict)
        action = ChangeManyApiKeysInputAction(d.pop("action"))

        apikey_ids = cast(list[str], d.pop("apikey_ids", UNSET))

        _filter_ = d.pop("filter", UNSET)
        filter_: ApiKeyFilter | Unset
        if isinstance(_filter_, Unset):
            filter_ = UNSET
        else:
            filter_ = ApiKeyFilter.from_dict(_filter_)

        after = d.pop("after", UNSET)

        request_id = d.pop("request_id", UNSET)

        dry_run = d.pop("dry_run", UNSET)

        def _parse_group_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        group_id = _parse_group_id(d.pop("group_id", UNSET))

        change_many_api_keys_input = cls(
            action=action,
            apikey_ids=apikey_ids,
            filter_=filter_,
            after=after,
            request_id=request_id,
            dry_run=dry_run,
            group_id=group_id,
        )

        change_many_api_keys_input.additional_properties = d
        return change_many_api_keys_input

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
