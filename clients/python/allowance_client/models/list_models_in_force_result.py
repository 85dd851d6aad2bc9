from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.list_models_in_force_result_data_item import ListModelsInForceResultDataItem


T = TypeVar("T", bound="ListModelsInForceResult")


@_attrs_define
class ListModelsInForceResult:
    """
    Attributes:
        object_ (Literal['list']): The value `list`.
        data (list[ListModelsInForceResultDataItem]): Every model and pattern that has a price today, by name.
    """

    object_: Literal["list"]
    data: list[ListModelsInForceResultDataItem]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        object_ = self.object_

        data = []
        for data_item_data in self.data:
            data_item = data_item_data.to_dict()
            data.append(data_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "object": object_,
                "data": data,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.list_models_in_force_result_data_item import ListModelsInForceResultDataItem  # noqa: PLC0415

        d = dict(src_dict)
        object_ = cast(Literal["list"], d.pop("object"))
        if object_ != "list":
            raise ValueError(f"object must match const 'list', got '{object_}'")

        data = []
        _data = d.pop("data")
        for data_item_data in _data:
            data_item = ListModelsInForceResultDataItem.from_dict(data_item_data)

            data.append(data_item)

        list_models_in_force_result = cls(
            object_=object_,
            data=data,
        )

        list_models_in_force_result.additional_properties = d
        return list_models_in_force_result

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
