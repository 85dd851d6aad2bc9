from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.set_models_input_models_item import SetModelsInputModelsItem


T = TypeVar("T", bound="SetModelsInput")


@_attrs_define
class SetModelsInput:
    """
    Attributes:
        models (list[SetModelsInputModelsItem]): The prices, at most 10,000. One with the name and `valid_from` of a
            price of the account replaces it whole.
        dry_run (bool | Unset): `true`: change nothing, and answer what would happen.
    """

    models: list[SetModelsInputModelsItem]
    dry_run: bool | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        models = []
        for models_item_data in self.models:
            models_item = models_item_data.to_dict()
            models.append(models_item)

        dry_run = self.dry_run

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "models": models,
            }
        )
        if dry_run is not UNSET:
            field_dict["dry_run"] = dry_run

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.set_models_input_models_item import SetModelsInputModelsItem  # noqa: PLC0415

        d = dict(src_dict)
        models = []
        _models = d.pop("models")
        for models_item_data in _models:
            models_item = SetModelsInputModelsItem.from_dict(models_item_data)

            models.append(models_item)

        dry_run = d.pop("dry_run", UNSET)

        set_models_input = cls(
            models=models,
            dry_run=dry_run,
        )

        set_models_input.additional_properties = d
        return set_models_input

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
