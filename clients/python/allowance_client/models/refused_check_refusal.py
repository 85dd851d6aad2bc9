from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="RefusedCheckRefusal")


@_attrs_define
class RefusedCheckRefusal:
    """The numbers of it. Absent likewise.

    Attributes:
        limit (float | None): The limit in yuan, or for `open_holds` the most authorizations.
        available (float | None): What is left of it. It may be below 0.
        resets_at (int | None): When waiting helps: the beginning of the next day or month, or for `open_holds` the end
            of the first hold, in whole seconds since 1970 (UTC). `null`: only a change helps.
        price (float | None): The price that is refused, in yuan per million tokens; `null`: unknown.
        ceiling (float | None): The highest price that the key allows, in yuan per million tokens.
    """

    limit: float | None
    available: float | None
    resets_at: int | None
    price: float | None
    ceiling: float | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        limit: float | None
        limit = self.limit

        available: float | None
        available = self.available

        resets_at: int | None
        resets_at = self.resets_at

        price: float | None
        price = self.price

        ceiling: float | None
        ceiling = self.ceiling

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "limit": limit,
                "available": available,
                "resets_at": resets_at,
                "price": price,
                "ceiling": ceiling,
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

        def _parse_price(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        price = _parse_price(d.pop("price"))

        def _parse_ceiling(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        ceiling = _parse_ceiling(d.pop("ceiling"))

        refused_check_refusal = cls(
            limit=limit,
            available=available,
            resets_at=resets_at,
            price=price,
            ceiling=ceiling,
        )

        refused_check_refusal.additional_properties = d
        return refused_check_refusal

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
