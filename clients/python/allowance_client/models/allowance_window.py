from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="AllowanceWindow")


@_attrs_define
class AllowanceWindow:
    """What is spent, held and left of one limit.

    Attributes:
        limit (float | None): The limit in yuan; `null`: none. `null` when not set.
        spent (float): What is spent of it, in yuan.
        held (float): What open authorizations hold of it, in yuan.
        available (float | None): What is left, in yuan: limit − spent − held. It may be below 0; `null`: no limit.
            `null` when not set.
        resets_at (int | None): When it begins anew, in whole seconds since 1970 (UTC); `null`: never.
    """

    limit: float | None
    spent: float
    held: float
    available: float | None
    resets_at: int | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        limit: float | None
        limit = self.limit

        spent = self.spent

        held = self.held

        available: float | None
        available = self.available

        resets_at: int | None
        resets_at = self.resets_at

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "limit": limit,
                "spent": spent,
                "held": held,
                "available": available,
                "resets_at": resets_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_limit(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        limit = _parse_limit(d.pop("limit"))

        spent = d.pop("spent")

        held = d.pop("held")

        def _parse_available(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        available = _parse_available(d.pop("available"))

        def _parse_resets_at(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        resets_at = _parse_resets_at(d.pop("resets_at"))

        allowance_window = cls(
            limit=limit,
            spent=spent,
            held=held,
            available=available,
            resets_at=resets_at,
        )

        allowance_window.additional_properties = d
        return allowance_window

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
