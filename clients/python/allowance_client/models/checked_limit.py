from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.refusal_code import RefusalCode

T = TypeVar("T", bound="CheckedLimit")


@_attrs_define
class CheckedLimit:
    """A limit with its numbers.

    Attributes:
        code (RefusalCode): Why a call is refused.
        passes (bool): Whether the call would pass it.
        limit (float | None): The limit; `null`: none. Yuan, or for `open_holds` a number of holds.
        spent (float | None): What was spent of it, in yuan.
        held (float | None): What is held of it, in yuan.
        available (float | None): What is left of it, in yuan.
        needed (float | None): The smallest value of the limit with which the call passes; `null`: it has none, or what
            the call would cost is unknown.
    """

    code: RefusalCode
    passes: bool
    limit: float | None
    spent: float | None
    held: float | None
    available: float | None
    needed: float | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        code = self.code.value

        passes = self.passes

        limit: float | None
        limit = self.limit

        spent: float | None
        spent = self.spent

        held: float | None
        held = self.held

        available: float | None
        available = self.available

        needed: float | None
        needed = self.needed

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "code": code,
                "passes": passes,
                "limit": limit,
                "spent": spent,
                "held": held,
                "available": available,
                "needed": needed,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        code = RefusalCode(d.pop("code"))

        passes = d.pop("passes")

        def _parse_limit(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        limit = _parse_limit(d.pop("limit"))

        def _parse_spent(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        spent = _parse_spent(d.pop("spent"))

        def _parse_held(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        held = _parse_held(d.pop("held"))

        def _parse_available(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        available = _parse_available(d.pop("available"))

        def _parse_needed(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        needed = _parse_needed(d.pop("needed"))

        checked_limit = cls(
            code=code,
            passes=passes,
            limit=limit,
            spent=spent,
            held=held,
            available=available,
            needed=needed,
        )

        checked_limit.additional_properties = d
        return checked_limit

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
