from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="RelativeChange")


@_attrs_define
class RelativeChange:
    """How an amount changes: exactly one of the operations.

    Attributes:
        multiply (float | Unset): A factor: 1.2 raises by 20 %, 0.8 lowers by 20 %.
        add (float | Unset): What to add; less than 0 takes away.
        at_least (float | Unset): Raises a lower limit to this amount.
        at_most (float | Unset): Lowers a higher limit to this amount, no limit too.
    """

    multiply: float | Unset = UNSET
    add: float | Unset = UNSET
    at_least: float | Unset = UNSET
    at_most: float | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        multiply = self.multiply

        add = self.add

        at_least = self.at_least

        at_most = self.at_most

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if multiply is not UNSET:
            field_dict["multiply"] = multiply
        if add is not UNSET:
            field_dict["add"] = add
        if at_least is not UNSET:
            field_dict["at_least"] = at_least
        if at_most is not UNSET:
            field_dict["at_most"] = at_most

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        multiply = d.pop("multiply", UNSET)

        add = d.pop("add", UNSET)

        at_least = d.pop("at_least", UNSET)

        at_most = d.pop("at_most", UNSET)

        relative_change = cls(
            multiply=multiply,
            add=add,
            at_least=at_least,
            at_most=at_most,
        )

        return relative_change
