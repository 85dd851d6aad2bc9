from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.import_models_result_skipped_item_code import ImportModelsResultSkippedItemCode

T = TypeVar("T", bound="ImportModelsResultSkippedItem")


@_attrs_define
class ImportModelsResultSkippedItem:
    """
    Attributes:
        name (str): Name in the file.
        code (ImportModelsResultSkippedItemCode): Names the reason.
        reason (str): Why it is left out.
    """

    name: str
    code: ImportModelsResultSkippedItemCode
    reason: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        code = self.code.value

        reason = self.reason

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "name": name,
                "code": code,
                "reason": reason,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        name = d.pop("name")

        code = ImportModelsResultSkippedItemCode(d.pop("code"))

        reason = d.pop("reason")

        import_models_result_skipped_item = cls(
            name=name,
            code=code,
            reason=reason,
        )

        import_models_result_skipped_item.additional_properties = d
        return import_models_result_skipped_item

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
