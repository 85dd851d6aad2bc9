from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.history_event_actor_kind import HistoryEventActorKind

T = TypeVar("T", bound="HistoryEventActor")


@_attrs_define
class HistoryEventActor:
    """Who did it.

    Attributes:
        kind (HistoryEventActorKind): Through what it was done.
        name (str): The email of a session, the `apikey_id` of a default key, or the name of a command.
    """

    kind: HistoryEventActorKind
    name: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        kind = self.kind.value

        name = self.name

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "kind": kind,
                "name": name,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        kind = HistoryEventActorKind(d.pop("kind"))

        name = d.pop("name")

        history_event_actor = cls(
            kind=kind,
            name=name,
        )

        history_event_actor.additional_properties = d
        return history_event_actor

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
