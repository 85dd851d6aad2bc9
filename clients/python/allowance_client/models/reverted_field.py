from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.reverted_field_values_item import RevertedFieldValuesItem


T = TypeVar("T", bound="RevertedField")


@_attrs_define
class RevertedField:
    """What would become of one field.

    Attributes:
        parameter (str): A limit, or `name`, `description`, `group`, `disabled`.
        values (list[RevertedFieldValuesItem]): The 5 most frequent changes of it.
        distinct_count (int): How many different changes of it there are.
        changed_count (int): On how many keys it would change.
    """

    parameter: str
    values: list[RevertedFieldValuesItem]
    distinct_count: int
    changed_count: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        parameter = self.parameter

        values = []
        for values_item_data in self.values:
            values_item = values_item_data.to_dict()
            values.append(values_item)

        distinct_count = self.distinct_count

        changed_count = self.changed_count

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "parameter": parameter,
                "values": values,
                "distinct_count": distinct_count,
                "changed_count": changed_count,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.reverted_field_values_item import RevertedFieldValuesItem  # noqa: PLC0415

        d = dict(src_dict)
        parameter = d.pop("parameter")

        values = []
        _values = d.pop("values")
        for values_item_data in _values:
            values_item = RevertedFieldValuesItem.from_dict(values_item_data)

            values.append(values_item)

        distinct_count = d.pop("distinct_count")

        changed_count = d.pop("changed_count")

        reverted_field = cls(
            parameter=parameter,
            values=values,
            distinct_count=distinct_count,
            changed_count=changed_count,
        )

        reverted_field.additional_properties = d
        return reverted_field

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
