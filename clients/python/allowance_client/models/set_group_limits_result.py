from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.limits_preview import LimitsPreview


T = TypeVar("T", bound="SetGroupLimitsResult")


@_attrs_define
class SetGroupLimitsResult:
    """
    Attributes:
        success (bool): Always true.
        message (str): States how many keys were updated.
        updated_count (int): Keys updated successfully.
        failed_count (int): Keys that failed.
        replayed (bool | Unset): Only in the answer to a repeated `request_id`: nothing more is changed.
        preview (LimitsPreview | Unset): With `dry_run`: what would happen.
    """

    success: bool
    message: str
    updated_count: int
    failed_count: int
    replayed: bool | Unset = UNSET
    preview: LimitsPreview | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        success = self.success

        message = self.message

        updated_count = self.updated_count

        failed_count = self.failed_count

        replayed = self.replayed

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
            }
        )
        if replayed is not UNSET:
            field_dict["replayed"] = replayed
        if preview is not UNSET:
            field_dict["preview"] = preview

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.limits_preview import LimitsPreview  # noqa: PLC0415

        d = dict(src_dict)
        success = d.pop("success")

        message = d.pop("message")

        updated_count = d.pop("updated_count")

        failed_count = d.pop("failed_count")

        replayed = d.pop("replayed", UNSET)

        _preview = d.pop("preview", UNSET)
        preview: LimitsPreview | Unset
        if isinstance(_preview, Unset):
            preview = UNSET
        else:
            preview = LimitsPreview.from_dict(_preview)

        set_group_limits_result = cls(
            success=success,
            message=message,
            updated_count=updated_count,
            failed_count=failed_count,
            replayed=replayed,
            preview=preview,
        )

        set_group_limits_result.additional_properties = d
        return set_group_limits_result

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
