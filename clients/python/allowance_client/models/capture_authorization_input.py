from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.capture_authorization_input_usage import CaptureAuthorizationInputUsage


T = TypeVar("T", bound="CaptureAuthorizationInput")


@_attrs_define
class CaptureAuthorizationInput:
    """
    Attributes:
        amount (float | Unset): What the call really cost, in yuan. More than was held is recorded whole. Either it or
            `usage` is sent.
        usage (CaptureAuthorizationInputUsage | Unset): The tokens of the call, of an authorization by model: they cost
            what they did when it was authorized.
    """

    amount: float | Unset = UNSET
    usage: CaptureAuthorizationInputUsage | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        amount = self.amount

        usage: dict[str, Any] | Unset = UNSET
        if not isinstance(self.usage, Unset):
            usage = self.usage.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if amount is not UNSET:
            field_dict["amount"] = amount
        if usage is not UNSET:
            field_dict["usage"] = usage

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.capture_authorization_input_usage import CaptureAuthorizationInputUsage  # noqa: PLC0415

        d = dict(src_dict)
        amount = d.pop("amount", UNSET)

        _usage = d.pop("usage", UNSET)
        usage: CaptureAuthorizationInputUsage | Unset
        if isinstance(_usage, Unset):
            usage = UNSET
        else:
            usage = CaptureAuthorizationInputUsage.from_dict(_usage)

        capture_authorization_input = cls(
            amount=amount,
            usage=usage,
        )

        capture_authorization_input.additional_properties = d
        return capture_authorization_input

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
