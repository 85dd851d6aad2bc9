from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="UsageTotal")


@_attrs_define
class UsageTotal:
    """What one group, one key or one model spent.

    Attributes:
        id (None | str): The group, the key, or the name of the model; `null`: keys in no group, or captures without a
            model.
        name (None | str): Its name; `null`: keys in no group, or captures without a model.
        group_id (None | str): The group that a key is in now.
        group_name (None | str): Name of that group.
        spent (float): Spent in the range, in yuan.
        captures (int): Number of captures.
        input_tokens (int | None): Input tokens, the cached ones among them, of the captures by usage; `null` where
            nothing is known of them, as for groups and keys.
        cached_input_tokens (int | None): Cached input tokens of the captures by usage; `null` where nothing is known of
            them, as for groups and keys.
        output_tokens (int | None): Output tokens of the captures by usage; `null` where nothing is known of them, as
            for groups and keys.
    """

    id: None | str
    name: None | str
    group_id: None | str
    group_name: None | str
    spent: float
    captures: int
    input_tokens: int | None
    cached_input_tokens: int | None
    output_tokens: int | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id: None | str
        id = self.id

        name: None | str
        name = self.name

        group_id: None | str
        group_id = self.group_id

        group_name: None | str
        group_name = self.group_name

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
                "id": id,
                "name": name,
                "group_id": group_id,
                "group_name": group_name,
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
        d = dict(src_dict)

        def _parse_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        id = _parse_id(d.pop("id"))

        def _parse_name(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        name = _parse_name(d.pop("name"))

        def _parse_group_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        group_id = _parse_group_id(d.pop("group_id"))

        def _parse_group_name(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        group_name = _parse_group_name(d.pop("group_name"))

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

        usage_total = cls(
            id=id,
            name=name,
            group_id=group_id,
            group_name=group_name,
            spent=spent,
            captures=captures,
            input_tokens=input_tokens,
            cached_input_tokens=cached_input_tokens,
            output_tokens=output_tokens,
        )

        usage_total.additional_properties = d
        return usage_total

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
