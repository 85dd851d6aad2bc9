from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.api_key_details_blocked_by_item import ApiKeyDetailsBlockedByItem
from ..models.api_key_details_near_limits_item import ApiKeyDetailsNearLimitsItem
from ..models.api_key_status import ApiKeyStatus

if TYPE_CHECKING:
    from ..models.available import Available


T = TypeVar("T", bound="ApiKeyDetails")


@_attrs_define
class ApiKeyDetails:
    """
    Attributes:
        apikey_id (str): The first 10 characters of the key value.
        name (str): Label of the key, 1 to 128 characters.
        is_default (bool): Whether it is the default key of the account.
        status (ApiKeyStatus): What the key is good for at this moment.
        blocked_by (list[ApiKeyDetailsBlockedByItem]): The limits of spend that are reached, so that each call is
            refused until they are raised or reset.
        near_limits (list[ApiKeyDetailsNearLimitsItem]): The limits of which 80 % or more is spent, and that are not
            reached.
        group_id (None | str): Group that the key belongs to. `null` when not set.
        group_name (None | str): Name of that group.
        budget (float | None): Total spending limit in yuan. 0 means no limit. `null` when not set.
        expiry_date (datetime.date | None): Last valid day, whole, in the time zone of the account, as YYYY-MM-DD, from
            the year 1000 on. `null` when not set.
        daily_limit (float | None): Spending limit per day in yuan. 0 means no limit. `null` when not set.
        monthly_limit (float | None): Spending limit per month in yuan. 0 means no limit. `null` when not set.
        input_price_limit (float | None): Highest allowed model input price in yuan per million tokens. 0 means no
            limit. `null` when not set.
        output_price_limit (float | None): Highest allowed model output price in yuan per million tokens. 0 means no
            limit. `null` when not set.
        spent (float): Spent, ever, in yuan.
        spent_today (float): Spent today, in yuan.
        spent_this_month (float): Spent this month, in yuan.
        held (float): Held by open authorizations, in yuan.
        available (Available): What is left of each limit: limit − spent − held; `null` where there is no limit.
        daily_resets_at (int): When the next day begins, in whole seconds since 1970 (UTC).
        monthly_resets_at (int): When the next month begins, in whole seconds since 1970 (UTC).
        last_used_at (int | None): Time of the last authorization, in whole seconds since 1970 (UTC). `null` when not
            set.
        created_at (int): Creation time, in whole seconds since 1970 (UTC).
        version (int): Grows with every change of the key.
        previous_value_until (int | None): Until when a value from before a rotation works too, in whole seconds since
            1970 (UTC).
    """

    apikey_id: str
    name: str
    is_default: bool
    status: ApiKeyStatus
    blocked_by: list[ApiKeyDetailsBlockedByItem]
    near_limits: list[ApiKeyDetailsNearLimitsItem]
    group_id: None | str
    group_name: None | str
    budget: float | None
    expiry_date: datetime.date | None
    daily_limit: float | None
    monthly_limit: float | None
    input_price_limit: float | None
    output_price_limit: float | None
    spent: float
    spent_today: float
    spent_this_month: float
    held: float
    available: Available
    daily_resets_at: int
    monthly_resets_at: int
    last_used_at: int | None
    created_at: int
    version: int
    previous_value_until: int | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        apikey_id = self.apikey_id

        name = self.name

        is_default = self.is_default

        status = self.status.value

        blocked_by = []
        for blocked_by_item_data in self.blocked_by:
            blocked_by_item = blocked_by_item_data.value
            blocked_by.append(blocked_by_item)

        near_limits = []
        for near_limits_item_data in self.near_limits:
            near_limits_item = near_limits_item_data.value
            near_limits.append(near_limits_item)

        group_id: None | str
        group_id = self.group_id

        group_name: None | str
        group_name = self.group_name

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

        spent = self.spent

        spent_today = self.spent_today

        spent_this_month = self.spent_this_month

        held = self.held

        available = self.available.to_dict()

        daily_resets_at = self.daily_resets_at

        monthly_resets_at = self.monthly_resets_at

        last_used_at: int | None
        last_used_at = self.last_used_at

        created_at = self.created_at

        version = self.version

        previous_value_until: int | None
        previous_value_until = self.previous_value_until

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "apikey_id": apikey_id,
                "name": name,
                "is_default": is_default,
                "status": status,
                "blocked_by": blocked_by,
                "near_limits": near_limits,
                "group_id": group_id,
                "group_name": group_name,
                "budget": budget,
                "expiry_date": expiry_date,
                "daily_limit": daily_limit,
                "monthly_limit": monthly_limit,
                "input_price_limit": input_price_limit,
                "output_price_limit": output_price_limit,
                "spent": spent,
                "spent_today": spent_today,
                "spent_this_month": spent_this_month,
                "held": held,
                "available": available,
                "daily_resets_at": daily_resets_at,
                "monthly_resets_at": monthly_resets_at,
                "last_used_at": last_used_at,
                "created_at": created_at,
                "version": version,
                "previous_value_until": previous_value_until,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.available import Available  # noqa: PLC0415

        d = dict(src_dict)
        apikey_id = d.pop("apikey_id")

        name = d.pop("name")

        is_default = d.pop("is_default")

        status = ApiKeyStatus(d.pop("status"))

        blocked_by = []
        _blocked_by = d.pop("blocked_by")
        for blocked_by_item_data in _blocked_by:
            blocked_by_item = ApiKeyDetailsBlockedByItem(blocked_by_item_data)

            blocked_by.append(blocked_by_item)

        near_limits = []
        _near_limits = d.pop("near_limits")
        for near_limits_item_data in _near_limits:
            near_limits_item = ApiKeyDetailsNearLimitsItem(near_limits_item_data)

            near_limits.append(near_limits_item)

        def _parse_group_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        group_id = _parse_group_id(d.pop("group_id"))

        def _parse_group_name(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        group_name = _parse_group_name(d.pop("group_name"))

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

        spent = d.pop("spent")

        spent_today = d.pop("spent_today")

        spent_this_month = d.pop("spent_this_month")

        held = d.pop("held")

        available = Available.from_dict(d.pop("available"))

        daily_resets_at = d.pop("daily_resets_at")

        monthly_resets_at = d.pop("monthly_resets_at")

        def _parse_last_used_at(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        last_used_at = _parse_last_used_at(d.pop("last_used_at"))

        created_at = d.pop("created_at")

        version = d.pop("version")

        def _parse_previous_value_until(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        previous_value_until = _parse_previous_value_until(d.pop("previous_value_until"))

        api_key_details = cls(
            apikey_id=apikey_id,
            name=name,
            is_default=is_default,
            status=status,
            blocked_by=blocked_by,
            near_limits=near_limits,
            group_id=group_id,
            group_name=group_name,
            budget=budget,
            expiry_date=expiry_date,
            daily_limit=daily_limit,
            monthly_limit=monthly_limit,
            input_price_limit=input_price_limit,
            output_price_limit=output_price_limit,
            spent=spent,
            spent_today=spent_today,
            spent_this_month=spent_this_month,
            held=held,
            available=available,
            daily_resets_at=daily_resets_at,
            monthly_resets_at=monthly_resets_at,
            last_used_at=last_used_at,
            created_at=created_at,
            version=version,
            previous_value_until=previous_value_until,
        )

        api_key_details.additional_properties = d
        return api_key_details

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
