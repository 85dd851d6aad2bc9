from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="RevertPreviewModelsAllowed")


@_attrs_define
class RevertPreviewModelsAllowed:
    """How many of them the price ceilings of a key would allow.

    Attributes:
        least (int): On the keys that would allow fewest.
        most (int): On the keys that would allow most.
    """

    least: int
    most: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        least = self.least

        most = self.most

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "least": least,
                "most": most,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        least = d.pop("least")

        most = d.pop("most")

        revert_preview_models_allowed = cls(
            least=least,
            most=most,
        )

        revert_preview_models_allowed.additional_properties = d
        return revert_preview_models_allowed

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
