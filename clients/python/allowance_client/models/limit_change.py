from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.limit_change_parameter import LimitChangeParameter
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.limit_change_before_item import LimitChangeBeforeItem
    from ..models.relative_change import RelativeChange


T = TypeVar("T", bound="LimitChange")


@_attrs_define
class LimitChange:
    """What would become of one limit.

    Attributes:
        parameter (LimitChangeParameter): The limit that would change.
        before (list[LimitChangeBeforeItem]): The 5 most frequent values that it has now.
        distinct_count (int): How many different values it has now.
        unset_count (int): On how many keys it is unset now.
        changed_count (int): On how many keys it would change.
        after (float | None | str | Unset): The value that it would have; absent with a relative change.
        change (RelativeChange | Unset): How an amount changes: exactly one of the operations.
    """

    parameter: LimitChangeParameter
    before: list[LimitChangeBeforeItem]
    distinct_count: int
    unset_count: int
    changed_count: int
    after: float | None | str | Unset = UNSET
    change: RelativeChange | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        parameter = self.parameter.value

        before = []
        for before_item_data in self.before:
            before_item = before_item_data.to_dict()
            before.append(before_item)

        distinct_count = self.distinct_count

        unset_count = self.unset_count

        changed_count = self.changed_count

        after: float | None | str | Unset
        if isinstance(self.after, Unset):
            after = UNSET
        else:
            after = self.after

        change: dict[str, Any] | Unset = UNSET
        if not isinstance(self.change, Unset):
            change = self.change.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "parameter": parameter,
                "before": before,
                "distinct_count": distinct_count,
                "unset_count": unset_count,
                "changed_count": changed_count,
            }
        )
        if after is not UNSET:
            field_dict["after"] = after
        if change is not UNSET:
            field_dict["change"] = change

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.limit_change_before_item import LimitChangeBeforeItem  # noqa: PLC0415
        from ..models.relative_change import RelativeChange  # noqa: PLC0415

        d = dict(src_dict)
        parameter = LimitChangeParameter(d.pop("parameter"))

        before = []
        _before = d.pop("before")
        for before_item_data in _before:
            before_item = LimitChangeBeforeItem.from_dict(before_item_data)

            before.append(before_item)

        distinct_count = d.pop("distinct_count")

        unset_count = d.pop("unset_count")

        changed_count = d.pop("changed_count")

        def _parse_after(data: object) -> float | None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | str | Unset, data)

        after = _parse_after(d.pop("after", UNSET))

        _change = d.pop("change", UNSET)
        change: RelativeChange | Unset
        if isinstance(_change, Unset):
            change = UNSET
        else:
            change = RelativeChange.from_dict(_change)

        limit_change = cls(
            parameter=parameter,
            before=before,
            distinct_count=distinct_count,
            unset_count=unset_count,
            changed_count=changed_count,
            after=after,
            change=change,
        )

        limit_change.additional_properties = d
        return limit_change

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
