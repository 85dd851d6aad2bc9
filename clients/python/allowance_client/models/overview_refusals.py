from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.overview_refusals_data_item import OverviewRefusalsDataItem


T = TypeVar("T", bound="OverviewRefusals")


@_attrs_define
class OverviewRefusals:
    """Why authorizations of the last 7 days were refused.

    Attributes:
        from_ (datetime.date): First day, a day in the zone of the account.
        to (datetime.date): Last day, a day in the zone of the account.
        data (list[OverviewRefusalsDataItem]): The reasons, the most frequent first.
        is_exact (bool): `false`: there were so many that only the newest were counted.
    """

    from_: datetime.date
    to: datetime.date
    data: list[OverviewRefusalsDataItem]
    is_exact: bool
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from_ = self.from_.isoformat()

        to = self.to.isoformat()

        data = []
        for data_item_data in self.data:
            data_item = data_item_data.to_dict()
            data.append(data_item)

        is_exact = self.is_exact

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "from": from_,
                "to": to,
                "data": data,
                "is_exact": is_exact,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.overview_refusals_data_item import OverviewRefusalsDataItem  # noqa: PLC0415

        d = dict(src_dict)
        from_ = datetime.date.fromisoformat(d.pop("from"))

        to = datetime.date.fromisoformat(d.pop("to"))

        data = []
        _data = d.pop("data")
        for data_item_data in _data:
            data_item = OverviewRefusalsDataItem.from_dict(data_item_data)

            data.append(data_item)

        is_exact = d.pop("is_exact")

        overview_refusals = cls(
            from_=from_,
            to=to,
            data=data,
            is_exact=is_exact,
        )

        overview_refusals.additional_properties = d
        return overview_refusals

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
