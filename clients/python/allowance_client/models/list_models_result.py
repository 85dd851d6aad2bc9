from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.list_models_result_data_item import ListModelsResultDataItem


T = TypeVar("T", bound="ListModelsResult")


@_attrs_define
class ListModelsResult:
    """
    Attributes:
        object_ (Literal['list']): The value `list`.
        data (list[ListModelsResultDataItem]): The prices of this page.
        total (int): Number of elements on all pages.
        total_is_exact (bool): `false`: there are more elements than `total`, because counting stops at 100,000.
        page (int): Which page this is.
        page_size (int): How many elements a full page has.
    """

    object_: Literal["list"]
    data: list[ListModelsResultDataItem]
    total: int
    total_is_exact: bool
    page: int
    page_size: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        object_ = self.object_

        data = []
        for data_item_data in self.data:
            data_item = data_item_data.to_dict()
            data.append(data_item)

        total = self.total

        total_is_exact = self.total_is_exact

        page = self.page

        page_size = self.page_size

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "object": object_,
                "data": data,
                "total": total,
                "total_is_exact": total_is_exact,
                "page": page,
                "page_size": page_size,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.list_models_result_data_item import ListModelsResultDataItem  # noqa: PLC0415

        d = dict(src_dict)
        object_ = cast(Literal["list"], d.pop("object"))
        if object_ != "list":
            raise ValueError(f"object must match const 'list', got '{object_}'")

        data = []
        _data = d.pop("data")
        for data_item_data in _data:
            data_item = ListModelsResultDataItem.from_dict(data_item_data)

            data.append(data_item)

        total = d.pop("total")

        total_is_exact = d.pop("total_is_exact")

        page = d.pop("page")

        page_size = d.pop("page_size")

        list_models_result = cls(
            object_=object_,
            data=data,
            total=total,
            total_is_exact=total_is_exact,
            page=page,
            page_size=page_size,
        )

        list_models_result.additional_properties = d
        return list_models_result

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
