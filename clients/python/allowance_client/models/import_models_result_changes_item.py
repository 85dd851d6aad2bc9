from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.import_models_result_changes_item_change import ImportModelsResultChangesItemChange

if TYPE_CHECKING:
    from ..models.import_models_result_changes_item_after_type_0 import ImportModelsResultChangesItemAfterType0
    from ..models.import_models_result_changes_item_before_type_0 import ImportModelsResultChangesItemBeforeType0


T = TypeVar("T", bound="ImportModelsResultChangesItem")


@_attrs_define
class ImportModelsResultChangesItem:
    """
    Attributes:
        change (ImportModelsResultChangesItemChange): What became of the price.
        name (str): Name of the model, 1 to 200 characters, or a pattern in which `*` stands for any characters.
        valid_from (datetime.date): First day on which the price counts, in the time zone of the account.
        before (ImportModelsResultChangesItemBeforeType0 | None): The price before; `null`: there was none.
        after (ImportModelsResultChangesItemAfterType0 | None): The price after; `null`: it is deleted.
        model_id (None | str): Identifier of the price; `null`: with `dry_run`, of a new one.
    """

    change: ImportModelsResultChangesItemChange
    name: str
    valid_from: datetime.date
    before: ImportModelsResultChangesItemBeforeType0 | None
    after: ImportModelsResultChangesItemAfterType0 | None
    model_id: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.import_models_result_changes_item_after_type_0 import ImportModelsResultChangesItemAfterType0  # noqa: PLC0415
        from ..models.import_models_result_changes_item_before_type_0 import ImportModelsResultChangesItemBeforeType0  # noqa: PLC0415

        change = self.change.value

        name = self.name

        valid_from = self.valid_from.isoformat()

        before: dict[str, Any] | None
        if isinstance(self.before, ImportModelsResultChangesItemBeforeType0):
            before = self.before.to_dict()
        else:
            before = self.before

        after: dict[str, Any] | None
        if isinstance(self.after, ImportModelsResultChangesItemAfterType0):
            after = self.after.to_dict()
        else:
            after = self.after

        model_id: None | str
        model_id = self.model_id

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "change": change,
                "name": name,
                "valid_from": valid_from,
                "before": before,
                "after": after,
                "model_id": model_id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.import_models_result_changes_item_after_type_0 import ImportModelsResultChangesItemAfterType0  # noqa: PLC0415
        from ..models.import_models_result_changes_item_before_type_0 import ImportModelsResultChangesItemBeforeType0  # noqa: PLC0415

        d = dict(src_dict)
        change = ImportModelsResultChangesItemChange(d.pop("change"))

        name = d.pop("name")

        valid_from = datetime.date.fromisoformat(d.pop("valid_from"))

        def _parse_before(data: object) -> ImportModelsResultChangesItemBeforeType0 | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                before_type_0 = ImportModelsResultChangesItemBeforeType0.from_dict(data)

                return before_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ImportModelsResultChangesItemBeforeType0 | None, data)

        before = _parse_before(d.pop("before"))

        def _parse_after(data: object) -> ImportModelsResultChangesItemAfterType0 | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                after_type_0 = ImportModelsResultChangesItemAfterType0.from_dict(data)

                return after_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ImportModelsResultChangesItemAfterType0 | None, data)

        after = _parse_after(d.pop("after"))

        def _parse_model_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        model_id = _parse_model_id(d.pop("model_id"))

        import_models_result_changes_item = cls(
            change=change,
            name=name,
            valid_from=valid_from,
            before=before,
            after=after,
            model_id=model_id,
        )

        import_models_result_changes_item.additional_properties = d
        return import_models_result_changes_item

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
