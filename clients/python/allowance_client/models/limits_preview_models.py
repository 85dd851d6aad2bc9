from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.limits_preview_models_allowed import LimitsPreviewModelsAllowed
    from ..models.limits_preview_models_coming_item import LimitsPreviewModelsComingItem
    from ..models.limits_preview_models_going_item import LimitsPreviewModelsGoingItem


T = TypeVar("T", bound="LimitsPreviewModels")


@_attrs_define
class LimitsPreviewModels:
    """Where a price ceiling would be set: which models that means.

    Attributes:
        total (int): How many models and patterns have a price today.
        allowed (LimitsPreviewModelsAllowed): How many of them the price ceilings of a key would allow.
        coming_count (int): How many models more would be allowed.
        coming (list[LimitsPreviewModelsComingItem]): Models that are not allowed now, and would be. The first 100,
            those of most keys first.
        going_count (int): How many models would no longer be allowed.
        going (list[LimitsPreviewModelsGoingItem]): Models that are allowed now, and would not be. The first 100, those
            of most keys first.
    """

    total: int
    allowed: LimitsPreviewModelsAllowed
    coming_count: int
    coming: list[LimitsPreviewModelsComingItem]
    going_count: int
    going: list[LimitsPreviewModelsGoingItem]
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
        from ..models.limits_preview_models_allowed import LimitsPreviewModelsAllowed  # noqa: PLC0415
        from ..models.limits_preview_models_coming_item import LimitsPreviewModelsComingItem  # noqa: PLC0415
        from ..models.limits_preview_models_going_item import LimitsPreviewModelsGoingItem  # noqa: PLC0415

        d = dict(src_dict)
        total = d.pop("total")

        allowed = LimitsPreviewModelsAllowed.from_dict(d.pop("allowed"))

        coming_count = d.pop("coming_count")

        coming = []
        _coming = d.pop("coming")
        for coming_item_data in _coming:
            coming_item = LimitsPreviewModelsComingItem.from_dict(coming_item_data)

            coming.append(coming_item)

        going_count = d.pop("going_count")

        going = []
        _going = d.pop("going")
        for going_item_data in _going:
            going_item = LimitsPreviewModelsGoingItem.from_dict(going_item_data)

            going.append(going_item)

        limits_preview_models = cls(
            total=total,
            allowed=allowed,
            coming_count=coming_count,
            coming=coming,
            going_count=going_count,
            going=going,
        )

        limits_preview_models.additional_properties = d
        return limits_preview_models

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
