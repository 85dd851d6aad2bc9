from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.not_reverted import NotReverted
    from ..models.revert_preview import RevertPreview


T = TypeVar("T", bound="RevertedChange")


@_attrs_define
class RevertedChange:
    """
    Attributes:
        success (bool): Always true.
        message (str): What was done, in words.
        updated_count (int): How many keys, groups or prices are as they were before.
        failed_count (int): How many stay as they are.
        skipped_count (int): How many of these were changed since, and would be undone with `force`.
        failed (list[NotReverted]): The first 1000 that stay, each with its reason.
        event_ids (list[str]): The events of the undoing, which can be undone too.
        preview (RevertPreview | Unset): With `dry_run`: what would happen.
    """

    success: bool
    message: str
    updated_count: int
    failed_count: int
    skipped_count: int
    failed: list[NotReverted]
    event_ids: list[str]
    preview: RevertPreview | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        success = self.success

        message = self.message

        updated_count = self.updated_count

        failed_count = self.failed_count

        skipped_count = self.skipped_count

        failed = []
        for failed_item_data in self.failed:
            failed_item = failed_item_data.to_dict()
            failed.append(failed_item)

        event_ids = self.event_ids

        preview: dict[str, Any] | Unset = UNSET
        if not isinstance(self.preview, Unset):
            preview = self.preview.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "success": success,
                "message": message,
                "updated_count": updated_count,
                "failed_count": failed_count,
                "skipped_count": skipped_count,
                "failed": failed,
                "event_ids": event_ids,
            }
        )
        if preview is not UNSET:
            field_dict["preview"] = preview

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.not_reverted import NotReverted  # noqa: PLC0415
        from ..models.revert_preview import RevertPreview  # noqa: PLC0415

        d = dict(src_dict)
        success = d.pop("success")

        message = d.pop("message")

        updated_count = d.pop("updated_count")

        failed_count = d.pop("failed_count")

        skipped_count = d.pop("skipped_count")

        failed = []
        _failed = d.pop("failed")
        for failed_item_data in _failed:
            failed_item = NotReverted.from_dict(failed_item_data)

            failed.append(failed_item)

        event_ids = cast(list[str], d.pop("event_ids"))

        _preview = d.pop("preview", UNSET)
        preview: RevertPreview | Unset
        if isinstance(_preview, Unset):
            preview = UNSET
        else:
            preview = RevertPreview.from_dict(_preview)

        reverted_change = cls(
            success=success,
            message=message,
            updated_count=updated_count,
            failed_count=failed_count,
            skipped_count=skipped_count,
            failed=failed,
            event_ids=event_ids,
            preview=preview,
        )

        reverted_change.additional_properties = d
        return reverted_change

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
