from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="CaptureAuthorizationInputUsage")


@_attrs_define
class CaptureAuthorizationInputUsage:
    """The tokens of the call, of an authorization by model: they cost what they did when it was authorized.

    Attributes:
        input_tokens (int): All tokens of the input, the cached ones among them.
        output_tokens (int): Tokens of the answer.
        cached_input_tokens (int | Unset): Tokens of the input that the model has read before. 0 when it is not sent.
            Default: 0.
    """

    input_tokens: int
    output_tokens: int
    cached_input_tokens: int | Unset = 0
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        input_tokens = self.input_tokens

        output_tokens = self.output_tokens

        cached_input_tokens = self.cached_input_tokens

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "input_tokens": input_tokens,
                "output_tokens": output_tokens,
            }
        )
        if cached_input_tokens is not UNSET:
            field_dict["cached_input_tokens"] = cached_input_tokens

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        input_tokens = d.pop("input_tokens")

        output_tokens = d.pop("output_tokens")

        cached_input_tokens = d.pop("cached_input_tokens", UNSET)

        capture_authorization_input_usage = cls(
            input_tokens=input_tokens,
            output_tokens=output_tokens,
            cached_input_tokens=cached_input_tokens,
        )

        capture_authorization_input_usage.additional_properties = d
        return capture_authorization_input_usage

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
