from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.import_models_result_changes_item import ImportModelsResultChangesItem
    from ..models.import_models_result_skipped_item import ImportModelsResultSkippedItem


T = TypeVar("T", bound="ImportModelsResult")


@_attrs_define
class ImportModelsResult:
    """
    Attributes:
        success (bool): Always true.
        message (str): Human-readable confirmation.
        created_count (int): How many prices are new.
        changed_count (int): How many prices have changed.
        unchanged_count (int): How many prices were so before.
        deleted_count (int): How many prices are deleted.
        changes (list[ImportModelsResultChangesItem]): What became of each price, by name.
        skipped_count (int): How many prices of the file are left out.
        skipped (list[ImportModelsResultSkippedItem]): What of the file is left out.
    """

    success: bool
    message: str
    created_count: int
    changed_count: int
    unchanged_count: int
    deleted_count: int
    changes: list[ImportModelsResultChangesItem]
    skipped_count: int
    skipped: list[ImportModelsResultSkippedItem]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        success = self.success

        message = self.message

        created_count = self.created_count

        changed_count = self.changed_count

        unchanged_count = self.unchanged_count

        deleted_count = self.deleted_count

        changes = []
        for changes_item_data in self.changes:
            changes_item = changes_item_data.to_dict()
            changes.append(changes_item)

        skipped_count = self.skipped_count

        skipped = []
        for skipped_item_data in self.skipped:
            skipped_item = skipped_item_data.to_dict()
            skipped.append(skipped_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "success": success,
                "message": message,
                "created_count": created_count,
                "changed_count": changed_count,
                "unchanged_count": unchanged_count,
                "deleted_count": deleted_count,
                "changes": changes,
                "skipped_count": skipped_count,
                "skipped": skipped,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.import_models_result_changes_item import ImportModelsResultChangesItem  # noqa: PLC0415
        from ..models.import_models_result_skipped_item import ImportModelsResultSkippedItem  # noqa: PLC0415

        d = dict(src_dict)
        success = d.pop("success")

        message = d.pop("message")

        created_count = d.pop("created_count")

        changed_count = d.pop("changed_count")

        unchanged_count = d.pop("unchanged_count")

        deleted_count = d.pop("deleted_count")

        changes = []
        _changes = d.pop("changes")
        for changes_item_data in _changes:
            changes_item = ImportModelsResultChangesItem.from_dict(changes_item_data)

            changes.append(changes_item)

        skipped_count = d.pop("skipped_count")

        skipped = []
        _skipped = d.pop("skipped")
        for skipped_item_data in _skipped:
            skipped_item = ImportModelsResultSkippedItem.from_dict(skipped_item_data)

            skipped.append(skipped_item)

        import_models_result = cls(
            success=success,
            message=message,
            created_count=created_count,
            changed_count=changed_count,
            unchanged_count=unchanged_count,
            deleted_count=deleted_count,
            changes=changes,
            skipped_count=skipped_count,
            skipped=skipped,
        )

        import_models_result.additional_properties = d
        return import_models_result

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
