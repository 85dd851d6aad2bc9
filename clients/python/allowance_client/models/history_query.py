from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.history_query_action import HistoryQueryAction
from ..models.history_query_actor import HistoryQueryActor
from ..types import UNSET, Unset

T = TypeVar("T", bound="HistoryQuery")


@_attrs_define
class HistoryQuery:
    """Filter of the history.

    Attributes:
        apikey_id (str | Unset): The first 10 characters of the key value.
        group_id (str | Unset): Only events of this group: its own changes, keys that were created in it or moved to it,
            limits that all its keys got.
        action (HistoryQueryAction | Unset): What was done.
        actor (HistoryQueryActor | Unset): Through what it was done.
        search (str | Unset): A part of the name of a key, a group, a model or an actor, in any letter case, of the id
            of a key or a group, or the beginning of the id of an event.
        from_ (datetime.date | Unset): First day, in the zone of the account.
        to (datetime.date | Unset): Last day, whole, in the zone of the account.
    """

    apikey_id: str | Unset = UNSET
    group_id: str | Unset = UNSET
    action: HistoryQueryAction | Unset = UNSET
    actor: HistoryQueryActor | Unset = UNSET
    search: str | Unset = UNSET
    from_: datetime.date | Unset = UNSET
    to: datetime.date | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        apikey_id = self.apikey_id

        group_id = self.group_id

        action: str | Unset = UNSET
        if not isinstance(self.action, Unset):
            action = self.action.value

        actor: str | Unset = UNSET
        if not isinstance(self.actor, Unset):
            actor = self.actor.value

        search = self.search

        from_: str | Unset = UNSET
        if not isinstance(self.from_, Unset):
            from_ = self.from_.isoformat()

        to: str | Unset = UNSET
        if not isinstance(self.to, Unset):
            to = self.to.isoformat()

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if apikey_id is not UNSET:
            field_dict["apikey_id"] = apikey_id
        if group_id is not UNSET:
            field_dict["group_id"] = group_id
        if action is not UNSET:
            field_dict["action"] = action
        if actor is not UNSET:
            field_dict["actor"] = actor
        if search is not UNSET:
            field_dict["search"] = search
        if from_ is not UNSET:
            field_dict["from"] = from_
        if to is not UNSET:
            field_dict["to"] = to

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        apikey_id = d.pop("apikey_id", UNSET)

        group_id = d.pop("group_id", UNSET)

        _action = d.pop("action", UNSET)
        action: HistoryQueryAction | Unset
        if isinstance(_action, Unset):
            action = UNSET
        else:
            action = HistoryQueryAction(_action)

        _actor = d.pop("actor", UNSET)
        actor: HistoryQueryActor | Unset
        if isinstance(_actor, Unset):
            actor = UNSET
        else:
            actor = HistoryQueryActor(_actor)

        search = d.pop("search", UNSET)

        _from_ = d.pop("from", UNSET)
        from_: datetime.date | Unset
        if isinstance(_from_, Unset):
            from_ = UNSET
        else:
            from_ = datetime.date.fromisoformat(_from_)

        _to = d.pop("to", UNSET)
        to: datetime.date | Unset
        if isinstance(_to, Unset):
            to = UNSET
        else:
            to = datetime.date.fromisoformat(_to)

        history_query = cls(
            apikey_id=apikey_id,
            group_id=group_id,
            action=action,
            actor=actor,
            search=search,
            from_=from_,
            to=to,
        )

        return history_query
