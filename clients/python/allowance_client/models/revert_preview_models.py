from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.revert_preview_models_allowed import RevertPreviewModelsAllowed
    from ..models.revert_preview_models_coming_item import RevertPreviewModelsComingItem
    from ..models.revert_preview_models_going_item import RevertPreviewModelsGoingItem


T = TypeVar("T", bound="RevertPreviewModels")


@_attrs_define
class RevertPreviewModels:
    """Where a price ceiling would change: which models that means. Where it is one that new keys of a group start with,
    for one such key.

        Attributes:
            total (int): How many models and patterns have a price today.
            allowed (RevertPreviewModelsAllowed): How many of them the price ceilings of a key would allow.
            coming_count (int): How many models more would be allowed.
            coming (list[RevertPreviewModelsComingItem]): Models that are not allowed now, and would be. The first 100,
                those of most keys first.
            going_count (int): How many models would no longer be allowed.
            going (list[RevertPreviewModelsGoingItem]): Models that are allowed now, and would not be. The first 100, those
                of most keys first.
    """

    total: int
    allowed: RevertPreviewModelsAllowed
    coming_count: int
    coming: list[RevertPreviewModelsComingItem]
    going_count: int
    going: list[RevertPreviewModelsGoingItem]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        total = self.total

        allowed = self.allowed.to_dict()

        coming_count = self.coming_count

        coming = []
        for coming_item_data in self.coming:
            coming_item = coming_item_data.to_dict()
            coming.append(coming_item)

        going_count = self.going_count

        going = []
        for going_item_data in self.going:
            going_item = going_item_data.to_dict()
            going.append(going_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "total": total,
                "allowed": allowed,
                "coming_count": coming_count,
                "coming": coming,
                "going_count": going_count,
                "going": going,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.revert_preview_models_allowed import RevertPreviewModelsAllowed  # noqa: PLC0415
        from ..models.revert_preview_models_coming_item import RevertPreviewModelsComingItem  # noqa: PLC0415
        from ..models.revert_preview_models_going_item import RevertPreviewModelsGoingItem  # noqa: PLC0415

        d = dict(src_dict)
        total = d.pop("total")

        allowed = RevertPreviewModelsAllowed.from_dict(d.pop("allowed"))

        coming_count = d.pop("coming_count")

        coming = []
        _coming = d.pop("coming")
        for coming_item_data in _coming:
            coming_item = RevertPreviewModelsComingItem.from_dict(coming_item_data)

            coming.append(coming_item)

        going_count = d.pop("going_count")

        going = []
        _going = d.pop("going")
        for going_item_data in _going:
            going_item = RevertPreviewModelsGoingItem.from_dict(going_item_data)

            going.append(going_item)

        revert_preview_models = cls(
            total=total,
            allowed=allowed,
            coming_count=coming_count,
            coming=coming,
            going_count=going_count,
            going=going,
        )

        revert_preview_models.additional_properties = d
        return revert_preview_models

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
