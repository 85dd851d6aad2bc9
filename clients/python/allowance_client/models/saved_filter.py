from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.api_key_query import ApiKeyQuery
    from ..models.history_query import HistoryQuery


T = TypeVar("T", bound="SavedFilter")


@_attrs_define
class SavedFilter:
    """A filter and an order of a list, under a name.

    Attributes:
        id (str): Identifier of the saved filter.
        name (str): Name of the saved filter, 1 to 128 characters, unique within the account.
        keys (ApiKeyQuery | None): For the list of keys; `null` for another list.
        history (HistoryQuery | None): For the history; `null` for another list.
        created_at (int): Creation time, in whole seconds since 1970 (UTC).
    """

    id: str
    name: str
    keys: ApiKeyQuery | None
    history: HistoryQuery | None
    created_at: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.api_key_query import ApiKeyQuery  # noqa: PLC0415
        from ..models.history_query import HistoryQuery  # noqa: PLC0415

        id = self.id

        name = self.name

        keys: dict[str, Any] | None
        if isinstance(self.keys, ApiKeyQuery):
            keys = self.keys.to_dict()
        else:
            keys = self.keys

        history: dict[str, Any] | None
        if isinstance(self.history, HistoryQuery):
            history = self.history.to_dict()
        else:
            history = self.history

        created_at = self.created_at

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "name": name,
                "keys": keys,
                "history": history,
                "created_at": created_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.api_key_query import ApiKeyQuery  # noqa: PLC0415
        from ..models.history_query import HistoryQuery  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        name = d.pop("name")

        def _parse_keys(data: object) -> ApiKeyQuery | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                keys_type_0 = ApiKeyQuery.from_dict(data)

                return keys_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ApiKeyQuery | None, data)

        keys = _parse_keys(d.pop("keys"))

        def _parse_history(data: object) -> HistoryQuery | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                history_type_0 = HistoryQuery.from_dict(data)

                return history_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(HistoryQuery | None, data)

        history = _parse_history(d.pop("history"))

        created_at = d.pop("created_at")

        saved_filter = cls(
            id=id,
            name=name,
            keys=keys,
            history=history,
            created_at=created_at,
        )

        saved_filter.additional_properties = d
        return saved_filter

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
