from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.named_api_key import NamedApiKey
    from ..models.revert_preview_models import RevertPreviewModels
    from ..models.revert_preview_prices_item import RevertPreviewPricesItem
    from ..models.reverted_field import RevertedField


T = TypeVar("T", bound="RevertPreview")


@_attrs_define
class RevertPreview:
    """With `dry_run`: what would happen.

    Attributes:
        key_count (int): How many keys would be changed.
        changes (list[RevertedField]): Each field that would change.
        blocked_count (int): How many keys that work now would be blocked at once.
        blocked (list[NamedApiKey]): The first 20 of them.
        models (RevertPreviewModels | Unset): Where a price ceiling would change: which models that means. Where it is
            one that new keys of a group start with, for one such key.
        price_count (int | Unset): Where prices would change: how many.
        prices (list[RevertPreviewPricesItem] | Unset): The first 100 of these prices, by name: `before` is the price
            now, `after` the one that it would be.
    """

    key_count: int
    changes: list[RevertedField]
    blocked_count: int
    blocked: list[NamedApiKey]
    models: RevertPreviewModels | Unset = UNSET
    price_count: int | Unset = UNSET
    prices: list[RevertPreviewPricesItem] | Unset = UNSET
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

        price_count = self.price_count

        prices: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.prices, Unset):
            prices = []
            for prices_item_data in self.prices:
                prices_item = prices_item_data.to_dict()
                prices.append(prices_item)

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
        if price_count is not UNSET:
            field_dict["price_count"] = price_count
        if prices is not UNSET:
            field_dict["prices"] = prices

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.named_api_key import NamedApiKey  # noqa: PLC0415
        from ..models.revert_preview_models import RevertPreviewModels  # noqa: PLC0415
        from ..models.revert_preview_prices_item import RevertPreviewPricesItem  # noqa: PLC0415
        from ..models.reverted_field import RevertedField  # noqa: PLC0415

        d = dict(src_dict)
        key_count = d.pop("key_count")

        changes = []
        _changes = d.pop("changes")
        for changes_item_data in _changes:
            changes_item = RevertedField.from_dict(changes_item_data)

            changes.append(changes_item)

        blocked_count = d.pop("blocked_count")

        blocked = []
        _blocked = d.pop("blocked")
        for blocked_item_data in _blocked:
            blocked_item = NamedApiKey.from_dict(blocked_item_data)

            blocked.append(blocked_item)

        _models = d.pop("models", UNSET)
        models: RevertPreviewModels | Unset
        if isinstance(_models, Unset):
            models = UNSET
        else:
            models = RevertPreviewModels.from_dict(_models)

        price_count = d.pop("price_count", UNSET)

        _prices = d.pop("prices", UNSET)
        prices: list[RevertPreviewPricesItem] | Unset = UNSET
        if _prices is not UNSET:
            prices = []
            for prices_item_data in _prices:
                prices_item = RevertPreviewPricesItem.from_dict(prices_item_data)

                prices.append(prices_item)

        revert_preview = cls(
            key_count=key_count,
            changes=changes,
            blocked_count=blocked_count,
            blocked=blocked,
            models=models,
            price_count=price_count,
            prices=prices,
        )

        revert_preview.additional_properties = d
        return revert_preview

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
