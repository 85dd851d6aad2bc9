from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.settled_authorization_state import SettledAuthorizationState

if TYPE_CHECKING:
    from ..models.settled_authorization_prices_type_0 import SettledAuthorizationPricesType0
    from ..models.settled_authorization_usage_type_0 import SettledAuthorizationUsageType0


T = TypeVar("T", bound="SettledAuthorization")


@_attrs_define
class SettledAuthorization:
    """
    Attributes:
        success (bool): Always true.
        message (str): The answer in words, with its numbers.
        authorization_id (str): Identifier of the authorization.
        state (SettledAuthorizationState): What the authorization is now.
        amount (float | None): What was captured, in yuan.
        usage (None | SettledAuthorizationUsageType0): The tokens that it was captured with; `null`: it was captured
            with an amount, or not at all.
        prices (None | SettledAuthorizationPricesType0): The prices that are fixed for the authorization, in yuan per
            million tokens; `null`: it was asked for by an amount, or the model has no price.
        overrun (bool): More was captured than was held.
        late (bool): It was captured after the hold had ended.
    """

    success: bool
    message: str
    authorization_id: str
    state: SettledAuthorizationState
    amount: float | None
    usage: None | SettledAuthorizationUsageType0
    prices: None | SettledAuthorizationPricesType0
    overrun: bool
    late: bool
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.settled_authorization_prices_type_0 import SettledAuthorizationPricesType0  # noqa: PLC0415
        from ..models.settled_authorization_usage_type_0 import SettledAuthorizationUsageType0  # noqa: PLC0415

        success = self.success

        message = self.message

        authorization_id = self.authorization_id

        state = self.state.value

        amount: float | None
        amount = self.amount

        usage: dict[str, Any] | None
        if isinstance(self.usage, SettledAuthorizationUsageType0):
            usage = self.usage.to_dict()
        else:
            usage = self.usage

        prices: dict[str, Any] | None
        if isinstance(self.prices, SettledAuthorizationPricesType0):
            prices = self.prices.to_dict()
        else:
            prices = self.prices

        overrun = self.overrun

        late = self.late

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "success": success,
                "message": message,
                "authorization_id": authorization_id,
                "state": state,
                "amount": amount,
                "usage": usage,
                "prices": prices,
                "overrun": overrun,
                "late": late,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.settled_authorization_prices_type_0 import SettledAuthorizationPricesType0  # noqa: PLC0415
        from ..models.settled_authorization_usage_type_0 import SettledAuthorizationUsageType0  # noqa: PLC0415

        d = dict(src_dict)
        success = d.pop("success")

        message = d.pop("message")

        authorization_id = d.pop("authorization_id")

        state = SettledAuthorizationState(d.pop("state"))

        def _parse_amount(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        amount = _parse_amount(d.pop("amount"))

        def _parse_usage(data: object) -> None | SettledAuthorizationUsageType0:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                usage_type_0 = SettledAuthorizationUsageType0.from_dict(data)

                return usage_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | SettledAuthorizationUsageType0, data)

        usage = _parse_usage(d.pop("usage"))

        def _parse_prices(data: object) -> None | SettledAuthorizationPricesType0:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                prices_type_0 = SettledAuthorizationPricesType0.from_dict(data)

                return prices_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | SettledAuthorizationPricesType0, data)

        prices = _parse_prices(d.pop("prices"))

        overrun = d.pop("overrun")

        late = d.pop("late")

        settled_authorization = cls(
            success=success,
            message=message,
            authorization_id=authorization_id,
            state=state,
            amount=amount,
            usage=usage,
            prices=prices,
            overrun=overrun,
            late=late,
        )

        settled_authorization.additional_properties = d
        return settled_authorization

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
