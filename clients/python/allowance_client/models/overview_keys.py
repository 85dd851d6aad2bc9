from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.overview_keys_at_limit import OverviewKeysAtLimit
    from ..models.overview_keys_expiring import OverviewKeysExpiring
    from ..models.overview_keys_near_limit import OverviewKeysNearLimit


T = TypeVar("T", bound="OverviewKeys")


@_attrs_define
class OverviewKeys:
    """Keys that may need the owner.

    Attributes:
        total (int): Keys that are not revoked.
        at_limit (OverviewKeysAtLimit): Keys of the status `exhausted`: a limit is spent.
        near_limit (OverviewKeysNearLimit): Active keys that spent 80 % of a limit or more.
        expiring (OverviewKeysExpiring): Keys that expire within 7 days.
    """

    total: int
    at_limit: OverviewKeysAtLimit
    near_limit: OverviewKeysNearLimit
    expiring: OverviewKeysExpiring
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        total = self.total

        at_limit = self.at_limit.to_dict()

        near_limit = self.near_limit.to_dict()

        expiring = self.expiring.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "total": total,
                "at_limit": at_limit,
                "near_limit": near_limit,
                "expiring": expiring,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.overview_keys_at_limit import OverviewKeysAtLimit  # noqa: PLC0415
        from ..models.overview_keys_expiring import OverviewKeysExpiring  # noqa: PLC0415
        from ..models.overview_keys_near_limit import OverviewKeysNearLimit  # noqa: PLC0415

        d = dict(src_dict)
        total = d.pop("total")

        at_limit = OverviewKeysAtLimit.from_dict(d.pop("at_limit"))

        near_limit = OverviewKeysNearLimit.from_dict(d.pop("near_limit"))

        expiring = OverviewKeysExpiring.from_dict(d.pop("expiring"))

        overview_keys = cls(
            total=total,
            at_limit=at_limit,
            near_limit=near_limit,
            expiring=expiring,
        )

        overview_keys.additional_properties = d
        return overview_keys

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
