from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.usage_total import UsageTotal


T = TypeVar("T", bound="ListUsageTotalsResult")


@_attrs_define
class ListUsageTotalsResult:
    """
    Attributes:
        object_ (Literal['list']): The value `list`.
        data (list[UsageTotal]): The groups, keys or models of this page.
        total (int): Number of elements on all pages.
        total_is_exact (bool): `false`: there are more elements than `total`, because counting stops at 100,000.
        page (int): Which page this is.
        page_size (int): How many elements a full page has.
        spent (float): Spent on all pages, in yuan.
        captures (int): Number of captures on all pages.
        input_tokens (int | None): Input tokens, the cached ones among them, on all pages, of the captures by usage;
            `null` where nothing is known of them, as for groups and keys.
        cached_input_tokens (int | None): Cached input tokens on all pages, of the captures by usage; `null` where
            nothing is known of them, as for groups and keys.
        output_tokens (int | None): Output tokens on all pages, of the captures by usage; `null` where nothing is known
            of them, as for groups and keys.
    """

    object_: Literal["list"]
    data: list[UsageTotal]
    total: int
    total_is_exact: bool
    page: int
    page_size: int
    spent: float
    captures: int
    input_tokens: int | None
    cached_input_tokens: int | None
    output_tokens: int | None
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

        spent = self.spent

        captures = self.captures

        input_tokens: int | None
        input_tokens = self.input_tokens

        cached_input_tokens: int | None
        cached_input_tokens = self.cached_input_tokens

        output_tokens: int | None
        output_tokens = self.output_tokens

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
                "spent": spent,
                "captures": captures,
                "input_tokens": input_tokens,
                "cached_input_tokens": cached_input_tokens,
                "output_tokens": output_tokens,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.usage_total import UsageTotal  # noqa: PLC0415

        d = dict(src_dict)
        object_ = cast(Literal["list"], d.pop("object"))
        if object_ != "list":
            raise ValueError(f"object must match const 'list', got '{object_}'")

        data = []
        _data = d.pop("data")
        for data_item_data in _data:
            data_item = UsageTotal.from_dict(data_item_data)

            data.append(data_item)

        total = d.pop("total")

        total_is_exact = d.pop("total_is_exact")

        page = d.pop("page")

        page_size = d.pop("page_size")

        spent = d.pop("spent")

        captures = d.pop("captures")

        def _parse_input_tokens(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        input_tokens = _parse_input_tokens(d.pop("input_tokens"))

        def _parse_cached_input_tokens(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        cached_input_tokens = _parse_cached_input_tokens(d.pop("cached_input_tokens"))

        def _parse_output_tokens(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        output_tokens = _parse_output_tokens(d.pop("output_tokens"))

        list_usage_totals_result = cls(
            object_=object_,
            data=data,
            total=total,
            total_is_exact=total_is_exact,
            page=page,
            page_size=page_size,
            spent=spent,
            captures=captures,
            input_tokens=input_tokens,
            cached_input_tokens=cached_input_tokens,
            output_tokens=output_tokens,
        )

        list_usage_totals_result.additional_properties = d
        return list_usage_totals_result

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
