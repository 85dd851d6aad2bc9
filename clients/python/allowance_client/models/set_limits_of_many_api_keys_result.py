from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.failed_api_key import FailedApiKey
    from ..models.left_out_api_keys import LeftOutApiKeys
    from ..models.limits_preview import LimitsPreview


T = TypeVar("T", bound="SetLimitsOfManyApiKeysResult")


@_attrs_define
class SetLimitsOfManyApiKeysResult:
    """
    Attributes:
        success (bool): Always true.
        message (str): What was done, in words.
        updated_count (int): Keys changed successfully, those that were so before included.
        failed_count (int): Keys of `apikey_ids` that failed.
        failed (list[FailedApiKey]): The keys of `apikey_ids` that failed, each with its reason.
        unchanged_count (int | Unset): With `filter`: how many of `updated_count` were so before.
        left_out (list[LeftOutApiKeys] | Unset): With `filter`: the keys that match and cannot be changed so, by reason.
        remaining_count (int | Unset): With `filter`: how many keys match that no call has come to yet. With `dry_run`:
            how many match.
        remaining_count_is_exact (bool | Unset): `false`: there are more, because counting stops at 100,000.
        next_ (None | str | Unset): With `filter`: what to send as `after` to go on; `null`: all keys have been changed.
        replayed (bool | Unset): Only in the answer to a repeated `request_id`: nothing more is changed.
        preview (LimitsPreview | Unset): With `dry_run`: what would happen.
    """

    success: bool
    message: str
    updated_count: int
    failed_count: int
    failed: list[FailedApiKey]
    unchanged_count: int | Unset = UNSET
    left_out: list[LeftOutApiKeys] | Unset = UNSET
    remaining_count: int | Unset = UNSET
    remaining_count_is_exact: bool | Unset = UNSET
    next_: None | str | Unset = UNSET
    replayed: bool | Unset = UNSET
    preview: LimitsPreview | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        success = self.success

        message = self.message

        updated_count = self.updated_count

        failed_count = self.failed_count

        failed = []
        for failed_item_data in self.failed:
            failed_item = failed_item_data.to_dict()
            failed.append(failed_item)

        unchanged_count = self.unchanged_count

        left_out: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.left_out, Unset):
            left_out = []
            for left_out_item_data in self.left_out:
                left_out_item = left_out_item_data.to_dict()
                left_out.append(left_out_item)

        remaining_count = self.remaining_count

        remaining_count_is_exact = self.remaining_count_is_exact

        next_: None | str | Unset
        if isinstance(self.next_, Unset):
            next_ = UNSET
        else:
            next_ = self.next_

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
                "failed": failed,
            }
        )
        if unchanged_count is not UNSET:
            field_dict["unchanged_count"] = unchanged_count
        if left_out is not UNSET:
            field_dict["left_out"] = left_out
        if remaining_count is not UNSET:
            field_dict["remaining_count"] = remaining_count
        if remaining_count_is_exact is not UNSET:
            field_dict["remaining_count_is_exact"] = remaining_count_is_exact
        if next_ is not UNSET:
            field_dict["next"] = next_
        if replayed is not UNSET:
            field_dict["replayed"] = replayed
        if preview is not UNSET:
            field_dict["preview"] = preview

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.failed_api_key import FailedApiKey  # noqa: PLC0415
        from ..models.left_out_api_keys import LeftOutApiKeys  # noqa: PLC0415
        from ..models.limits_preview import LimitsPreview  # noqa: PLC0415

        d = dict(src_dict)
        success = d.pop("success")

        message = d.pop("message")

        updated_count = d.pop("updated_count")

        failed_count = d.pop("failed_count")

        failed = []
        _failed = d.pop("failed")
        for failed_item_data in _failed:
            failed_item = FailedApiKey.from_dict(failed_item_data)

            failed.append(failed_item)

        unchanged_count = d.pop("unchanged_count", UNSET)

        _left_out = d.pop("left_out", UNSET)
        left_out: list[LeftOutApiKeys] | Unset = UNSET
        if _left_out is not UNSET:
            left_out = []
            for left_out_item_data in _left_out:
                left_out_item = LeftOutApiKeys.from_dict(left_out_item_data)

                left_out.append(left_out_item)

        remaining_count = d.pop("remaining_count", UNSET)

        remaining_count_is_exact = d.pop("remaining_count_is_exact", UNSET)

        def _parse_next_(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        next_ = _parse_next_(d.pop("next", UNSET))

        replayed = d.pop("replayed", UNSET)

        _preview = d.pop("preview", UNSET)
        preview: LimitsPreview | Unset
        if isinstance(_preview, Unset):
            preview = UNSET
        else:
            preview = LimitsPreview.from_dict(_preview)

        set_limits_of_many_api_keys_result = cls(
            success=success,
            message=message,
            updated_count=updated_count,
            failed_count=failed_count,
            failed=failed,
            unchanged_count=unchanged_count,
            left_out=left_out,
            remaining_count=remaining_count,
            remaining_count_is_exact=remaining_count_is_exact,
            next_=next_,
            replayed=replayed,
            preview=preview,
        )

        set_limits_of_many_api_keys_result.additional_properties = d
        return set_limits_of_many_api_keys_result

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
