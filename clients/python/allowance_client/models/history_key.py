from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.history_key_after import HistoryKeyAfter
    from ..models.history_key_before import HistoryKeyBefore


T = TypeVar("T", bound="HistoryKey")


@_attrs_define
class HistoryKey:
    """A key that a change was done to.

    Attributes:
        apikey_id (str): The first 10 characters of the key value.
        name (str): Name of the key at that time; the former one, where it was renamed.
        before (HistoryKeyBefore): The values before, of the fields in `after`.
        after (HistoryKeyAfter): The values after that differ from key to key. The others are those of the event.
    """

    apikey_id: str
    name: str
    before: HistoryKeyBefore
    after: HistoryKeyAfter
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        apikey_id = self.apikey_id

        name = self.name

        before = self.before.to_dict()

        after = self.after.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "apikey_id": apikey_id,
                "name": name,
                "before": before,
                "after": after,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.history_key_after import HistoryKeyAfter  # noqa: PLC0415
        from ..models.history_key_before import HistoryKeyBefore  # noqa: PLC0415

        d = dict(src_dict)
        apikey_id = d.pop("apikey_id")

        name = d.pop("name")

        before = HistoryKeyBefore.from_dict(d.pop("before"))

        after = HistoryKeyAfter.from_dict(d.pop("after"))

        history_key = cls(
            apikey_id=apikey_id,
            name=name,
            before=before,
            after=after,
        )

        history_key.additional_properties = d
        return history_key

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
