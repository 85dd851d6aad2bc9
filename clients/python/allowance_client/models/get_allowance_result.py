from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.get_allowance_result_model_patterns_item import GetAllowanceResultModelPatternsItem
    from ..models.get_allowance_result_models_item import GetAllowanceResultModelsItem
    from ..models.get_allowance_result_windows import GetAllowanceResultWindows


T = TypeVar("T", bound="GetAllowanceResult")


@_attrs_define
class GetAllowanceResult:
    """
    Attributes:
        apikey_id (str): The first 10 characters of the key value.
        name (str): Label of the key.
        budget (float | None): Total spending limit in yuan. 0 means no limit. `null` when not set.
        expiry_date (datetime.date | None): Last valid day, whole, in the time zone of the account, as YYYY-MM-DD, from
            the year 1000 on. `null` when not set.
        daily_limit (float | None): Spending limit per day in yuan. 0 means no limit. `null` when not set.
        monthly_limit (float | None): Spending limit per month in yuan. 0 means no limit. `null` when not set.
        input_price_limit (float | None): Highest allowed model input price in yuan per million tokens. 0 means no
            limit. `null` when not set.
        output_price_limit (float | None): Highest allowed model output price in yuan per million tokens. 0 means no
            limit. `null` when not set.
        windows (GetAllowanceResultWindows): What is spent, held and left: ever, today, this month. Days and months are
            those of the account's time zone.
        models (list[GetAllowanceResultModelsItem]): The models that the key may call: none of their prices is above its
            ceiling.
        model_patterns (list[GetAllowanceResultModelPatternsItem]): The same of patterns: each model that matches one
            and has no price of its own.
    """

    apikey_id: str
    name: str
    budget: float | None
    expiry_date: datetime.date | None
    daily_limit: float | None
    monthly_limit: float | None
    input_price_limit: float | None
    output_price_limit: float | None
    windows: GetAllowanceResultWindows
    models: list[GetAllowanceResultModelsItem]
    model_patterns: list[GetAllowanceResultModelPatternsItem]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        apikey_id = self.apikey_id

        name = self.name

        budget: float | None
        budget = self.budget

        expiry_date: None | str
        if isinstance(self.expiry_date, datetime.date):
            expiry_date = self.expiry_date.isoformat()
        else:
            expiry_date = self.expiry_date

        daily_limit: float | None
        daily_limit = self.daily_limit

        monthly_limit: float | None
        monthly_limit = self.monthly_limit

        input_price_limit: float | None
        input_price_limit = self.input_price_limit

        output_price_limit: float | None
        output_price_limit = self.output_price_limit

        windows = self.windows.to_dict()

        models = []
        for models_item_data in self.models:
            models_item = models_item_data.to_dict()
            models.append(models_item)

        model_patterns = []
        for model_patterns_item_data in self.model_patterns:
            model_patterns_item = model_patterns_item_data.to_dict()
            model_patterns.append(model_patterns_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "apikey_id": apikey_id,
                "name": name,
                "budget": budget,
                "expiry_date": expiry_date,
                "daily_limit": daily_limit,
                "monthly_limit": monthly_limit,
                "input_price_limit": input_price_limit,
                "output_price_limit": output_price_limit,
                "windows": windows,
                "models": models,
                "model_patterns": model_patterns,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.get_allowance_result_model_patterns_item import GetAllowanceResultModelPatternsItem  # noqa: PLC0415
        from ..models.get_allowance_result_models_item import GetAllowanceResultModelsItem  # noqa: PLC0415
        from ..models.get_allowance_result_windows import GetAllowanceResultWindows  # noqa: PLC0415

        d = dict(src_dict)
        apikey_id = d.pop("apikey_id")

        name = d.pop("name")

        def _parse_budget(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        budget = _parse_budget(d.pop("budget"))

        def _parse_expiry_date(data: object) -> datetime.date | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                expiry_date_type_0 = datetime.date.fromisoformat(data)

                return expiry_date_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None, data)

        expiry_date = _parse_expiry_date(d.pop("expiry_date"))

        def _parse_daily_limit(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        daily_limit = _parse_daily_limit(d.pop("daily_limit"))

        def _parse_monthly_limit(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        monthly_limit = _parse_monthly_limit(d.pop("monthly_limit"))

        def _parse_input_price_limit(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        input_price_limit = _parse_input_price_limit(d.pop("input_price_limit"))

        def _parse_output_price_limit(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        output_price_limit = _parse_output_price_limit(d.pop("output_price_limit"))

        windows = GetAllowanceResultWindows.from_dict(d.pop("windows"))

        models = []
        _models = d.pop("models")
        for models_item_data in _models:
            models_item = GetAllowanceResultModelsItem.from_dict(models_item_data)

            models.append(models_item)

        model_patterns = []
        _model_patterns = d.pop("model_patterns")
        for model_patterns_item_data in _model_patterns:
            model_patterns_item = GetAllowanceResultModelPatternsItem.from_dict(model_patterns_item_data)

            model_patterns.append(model_patterns_item)

        get_allowance_result = cls(
            apikey_id=apikey_id,
            name=name,
            budget=budget,
            expiry_date=expiry_date,
            daily_limit=daily_limit,
            monthly_limit=monthly_limit,
            input_price_limit=input_price_limit,
            output_price_limit=output_price_limit,
            windows=windows,
            models=models,
            model_patterns=model_patterns,
        )

        get_allowance_result.additional_properties = d
        return get_allowance_result

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
