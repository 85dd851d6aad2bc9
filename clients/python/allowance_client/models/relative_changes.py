from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.relative_change import RelativeChange


T = TypeVar("T", bound="RelativeChanges")


@_attrs_define
class RelativeChanges:
    """Amounts that change from what they are, each by one operation.

    Attributes:
        budget (RelativeChange | Unset): How an amount changes: exactly one of the operations.
        daily_limit (RelativeChange | Unset): How an amount changes: exactly one of the operations.
        monthly_limit (RelativeChange | Unset): How an amount changes: exactly one of the operations.
        input_price_limit (RelativeChange | Unset): How an amount changes: exactly one of the operations.
        output_price_limit (RelativeChange | Unset): How an amount changes: exactly one of the operations.
    """

    budget: RelativeChange | Unset = UNSET
    daily_limit: RelativeChange | Unset = UNSET
    monthly_limit: RelativeChange | Unset = UNSET
    input_price_limit: RelativeChange | Unset = UNSET
    output_price_limit: RelativeChange | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        budget: dict[str, Any] | Unset = UNSET
        if not isinstance(self.budget, Unset):
            budget = self.budget.to_dict()

        daily_limit: dict[str, Any] | Unset = UNSET
        if not isinstance(self.daily_limit, Unset):
            daily_limit = self.daily_limit.to_dict()

        monthly_limit: dict[str, Any] | Unset = UNSET
        if not isinstance(self.monthly_limit, Unset):
            monthly_limit = self.monthly_limit.to_dict()

        input_price_limit: dict[str, Any] | Unset = UNSET
        if not isinstance(self.input_price_limit, Unset):
            input_price_limit = self.input_price_limit.to_dict()

        output_price_limit: dict[str, Any] | Unset = UNSET
        if not isinstance(self.output_price_limit, Unset):
            output_price_limit = self.output_price_limit.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if budget is not UNSET:
            field_dict["budget"] = budget
        if daily_limit is not UNSET:
            field_dict["daily_limit"] = daily_limit
        if monthly_limit is not UNSET:
            field_dict["monthly_limit"] = monthly_limit
        if input_price_limit is not UNSET:
            field_dict["input_price_limit"] = input_price_limit
        if output_price_limit is not UNSET:
            field_dict["output_price_limit"] = output_price_limit

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.relative_change import RelativeChange  # noqa: PLC0415

        d = dict(src_dict)
        _budget = d.pop("budget", UNSET)
        budget: RelativeChange | Unset
        if isinstance(_budget, Unset):
            budget = UNSET
        else:
            budget = RelativeChange.from_dict(_budget)

        _daily_limit = d.pop("daily_limit", UNSET)
        daily_limit: RelativeChange | Unset
        if isinstance(_daily_limit, Unset):
            daily_limit = UNSET
        else:
            daily_limit = RelativeChange.from_dict(_daily_limit)

        _monthly_limit = d.pop("monthly_limit", UNSET)
        monthly_limit: RelativeChange | Unset
        if isinstance(_monthly_limit, Unset):
            monthly_limit = UNSET
        else:
            monthly_limit = RelativeChange.from_dict(_monthly_limit)

        _input_price_limit = d.pop("input_price_limit", UNSET)
        input_price_limit: RelativeChange | Unset
        if isinstance(_input_price_limit, Unset):
            input_price_limit = UNSET
        else:
            input_price_limit = RelativeChange.from_dict(_input_price_limit)

        _output_price_limit = d.pop("output_price_limit", UNSET)
        output_price_limit: RelativeChange | Unset
        if isinstance(_output_price_limit, Unset):
            output_price_limit = UNSET
        else:
            output_price_limit = RelativeChange.from_dict(_output_price_limit)

        relative_changes = cls(
            budget=budget,
            daily_limit=daily_limit,
            monthly_limit=monthly_limit,
            input_price_limit=input_price_limit,
            output_price_limit=output_price_limit,
        )

        return relative_changes
