from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.api_key_query import ApiKeyQuery
    from ..models.history_query import HistoryQuery


T = TypeVar("T", bound="CreateSavedFilterInput")


@_attrs_define
class CreateSavedFilterInput:
    """
    Attributes:
        name (str): Name of the saved filter, 1 to 128 characters, unique within the account.
        keys (ApiKeyQuery | Unset): Filter and order of the list of keys.
        history (HistoryQuery | Unset): Filter of the history.
    """

    name: str
    keys: ApiKeyQuery | Unset = UNSET
    history: HistoryQuery | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        keys: dict[str, Any] | Unset = UNSET
        if not isinstance(self.keys, Unset):
            keys = self.keys.to_dict()

        history: dict[str, Any] | Unset = UNSET
        if not isinstance(self.history, Unset):
            history = self.history.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "name": name,
            }
        )
        if keys is not UNSET:
            field_dict["keys"] = keys
        if history is not UNSET:
            field_dict["history"] = history

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.api_key_query import ApiKeyQuery  # noqa: PLC0415
        from ..models.history_query import HistoryQuery  # noqa: PLC0415

        d = dict(src_dict)
        name = d.pop("name")

        _keys = d.pop("keys", UNSET)
        keys: ApiKeyQuery | Unset
        if isinstance(_keys, Unset):
            keys = UNSET
        else:
            keys = ApiKeyQuery.from_dict(_keys)

        _history = d.pop("history", UNSET)
        history: HistoryQuery | Unset
        if isinstance(_history, Unset):
            history = UNSET
        else:
            history = HistoryQuery.from_dict(_history)

        create_saved_filter_input = cls(
            name=name,
            keys=keys,
            history=history,
        )

        create_saved_filter_input.additional_properties = d
        return create_saved_filter_input

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
