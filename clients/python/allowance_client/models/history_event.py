from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.history_event_actor import HistoryEventActor
    from ..models.history_event_after import HistoryEventAfter
    from ..models.history_event_before import HistoryEventBefore
    from ..models.history_key import HistoryKey


T = TypeVar("T", bound="HistoryEvent")


@_attrs_define
class HistoryEvent:
    """A change, or a sign-in.

    Attributes:
        id (str): Identifier of the event.
        at (int): Time of the change, in whole seconds since 1970 (UTC).
        action (str): What was done.
        actor (HistoryEventActor): Who did it.
        address (None | str): IP address of the request.
        group_id (None | str): The group that was changed, that keys were created in or moved to, or all whose keys got
            limits.
        group_name (None | str): Name of the group at that time; the new one, where it was renamed.
        key_count (int): How many keys it was done to.
        keys (list[HistoryKey]): The first few of these keys.
        before (HistoryEventBefore): The values before, where it was done to no key.
        after (HistoryEventAfter): The values after. A relative change of a limit is an object, for example
            `{"multiply": 1.2}`; each key then has its own `after`.
        reverts (None | str): The event that this one undid.
        reverted_by (None | str): The newest event that undid this one.
    """

    id: str
    at: int
    action: str
    actor: HistoryEventActor
    address: None | str
    group_id: None | str
    group_name: None | str
    key_count: int
    keys: list[HistoryKey]
    before: HistoryEventBefore
    after: HistoryEventAfter
    reverts: None | str
    reverted_by: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        at = self.at

        action = self.action

        actor = self.actor.to_dict()

        address: None | str
        address = self.address

        group_id: None | str
        group_id = self.group_id

        group_name: None | str
        group_name = self.group_name

        key_count = self.key_count

        keys = []
        for keys_item_data in self.keys:
            keys_item = keys_item_data.to_dict()
            keys.append(keys_item)

        before = self.before.to_dict()

        after = self.after.to_dict()

        reverts: None | str
        reverts = self.reverts

        reverted_by: None | str
        reverted_by = self.reverted_by

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "at": at,
                "action": action,
                "actor": actor,
                "address": address,
                "group_id": group_id,
                "group_name": group_name,
                "key_count": key_count,
                "keys": keys,
                "before": before,
                "after": after,
                "reverts": reverts,
                "reverted_by": reverted_by,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.history_event_actor import HistoryEventActor  # noqa: PLC0415
        from ..models.history_event_after import HistoryEventAfter  # noqa: PLC0415
        from ..models.history_event_before import HistoryEventBefore  # noqa: PLC0415
        from ..models.history_key import HistoryKey  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        at = d.pop("at")

        action = d.pop("action")

        actor = HistoryEventActor.from_dict(d.pop("actor"))

        def _parse_address(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        address = _parse_address(d.pop("address"))

        def _parse_group_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        group_id = _parse_group_id(d.pop("group_id"))

        def _parse_group_name(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        group_name = _parse_group_name(d.pop("group_name"))

        key_count = d.pop("key_count")

        keys = []
        _keys = d.pop("keys")
        for keys_item_data in _keys:
            keys_item = HistoryKey.from_dict(keys_item_data)

            keys.append(keys_item)

        before = HistoryEventBefore.from_dict(d.pop("before"))

        after = HistoryEventAfter.from_dict(d.pop("after"))

        def _parse_reverts(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        reverts = _parse_reverts(d.pop("reverts"))

        def _parse_reverted_by(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        reverted_by = _parse_reverted_by(d.pop("reverted_by"))

        history_event = cls(
            id=id,
            at=at,
            action=action,
            actor=actor,
            address=address,
            group_id=group_id,
            group_name=group_name,
            key_count=key_count,
            keys=keys,
            before=before,
            after=after,
            reverts=reverts,
            reverted_by=reverted_by,
        )

        history_event.additional_properties = d
        return history_event

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
