from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.limit_change import LimitChange
    from ..models.limits_preview_models import LimitsPreviewModels
    from ..models.named_api_key import NamedApiKey


T = TypeVar("T", bound="LimitsPreview")


@_attrs_define
class LimitsPreview:
    """With `dry_run`: what would happen.

    Attributes:
        key_count (int): How many keys would get the limits.
        changes (list[LimitChange]): Each limit that was sent.
        blocked_count (int): How many keys that work now would be blocked at once.
        blocked (list[NamedApiKey]): The first 20 of them.
        models (LimitsPreviewModels | Unset): Where a price ceiling would be set: which models that means.
    """

    key_count: int
    changes: list[LimitChange]
    blocked_count: int
    blocked: list[NamedApiKey]
    models: LimitsPreviewModels | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        key_count = self.key_count

        changes = []
        for changes_item_data in self.changes:
            changes_item = changes_item_data.to_dict()
            changes.append(changes_item)

        blocked_count = self.blocked_count

        blocked = []
        for blocked_item_data in self.blocked:
            blocked_item = blocked_item_data.to_dict()
            blocked.append(blocked_item)

        models: dict[str, Any] | Unset = UNSET
        if not isinstance(self.models, Unset):
            models = self.models.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "key_count": key_count,
                "changes": changes,
                "blocked_count": blocked_count,
                "blocked": blocked,
            }
        )
        if models is not UNSET:
            field_dict["models"] = models

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.limit_change import LimitChange  # noqa: PLC0415
        from ..models.limits_preview_models import LimitsPreviewModels  # noqa: PLC0415
        from ..models.named_api_key import NamedApiKey  # noqa: PLC0415

        d = dict(src_dict)
        key_count = d.pop("key_count")

        changes = []
        _changes = d.pop("changes")
        for changes_item_data in _changes:
            changes_item = LimitChange.from_dict(changes_item_data)

            changes.append(changes_item)

        blocked_count = d.pop("blocked_count")

        blocked = []
        _blocked = d.pop("blocked")
        for blocked_item_data in _blocked:
            blocked_item = NamedApiKey.from_dict(blocked_item_data)

            blocked.append(blocked_item)

        _models = d.pop("models", UNSET)
        models: LimitsPreviewModels | Unset
        if isinstance(_models, Unset):
            models = UNSET
        else:
            models = LimitsPreviewModels.from_dict(_models)

        limits_preview = cls(
            key_count=key_count,
            changes=changes,
            blocked_count=blocked_count,
            blocked=blocked,
            models=models,
        )

        limits_preview.additional_properties = d
        return limits_preview

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
