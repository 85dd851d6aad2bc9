from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.history_event import HistoryEvent
    from ..models.overview_keys import OverviewKeys
    from ..models.overview_refusals import OverviewRefusals
    from ..models.overview_spend import OverviewSpend


T = TypeVar("T", bound="Overview")


@_attrs_define
class Overview:
    """
    Attributes:
        today (datetime.date): Today, a day in the zone of the account.
        spend (OverviewSpend): What the account spent. Days and months are those of its zone.
        keys (OverviewKeys): Keys that may need the owner.
        refusals (OverviewRefusals): Why authorizations of the last 7 days were refused.
        changes (list[HistoryEvent]): The newest changes, without sign-ins.
    """

    today: datetime.date
    spend: OverviewSpend
    keys: OverviewKeys
    refusals: OverviewRefusals
    changes: list[HistoryEvent]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        today = self.today.isoformat()

        spend = self.spend.to_dict()

        keys = self.keys.to_dict()

        refusals = self.refusals.to_dict()

        changes = []
        for changes_item_data in self.changes:
            changes_item = changes_item_data.to_dict()
            changes.append(changes_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "today": today,
                "spend": spend,
                "keys": keys,
                "refusals": refusals,
                "changes": changes,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.history_event import HistoryEvent  # noqa: PLC0415
        from ..models.overview_keys import OverviewKeys  # noqa: PLC0415
        from ..models.overview_refusals import OverviewRefusals  # noqa: PLC0415
        from ..models.overview_spend import OverviewSpend  # noqa: PLC0415

        d = dict(src_dict)
        today = datetime.date.fromisoformat(d.pop("today"))

        spend = OverviewSpend.from_dict(d.pop("spend"))

        keys = OverviewKeys.from_dict(d.pop("keys"))

        refusals = OverviewRefusals.from_dict(d.pop("refusals"))

        changes = []
        _changes = d.pop("changes")
        for changes_item_data in _changes:
            changes_item = HistoryEvent.from_dict(changes_item_data)

            changes.append(changes_item)

        overview = cls(
            today=today,
            spend=spend,
            keys=keys,
            refusals=refusals,
            changes=changes,
        )

        overview.additional_properties = d
        return overview

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
