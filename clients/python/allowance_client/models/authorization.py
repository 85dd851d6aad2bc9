from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.refusal_code import RefusalCode
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.authorization_prices_type_0 import AuthorizationPricesType0
    from ..models.authorization_refusal_type_0 import AuthorizationRefusalType0
    from ..models.available_after import AvailableAfter


T = TypeVar("T", bound="Authorization")


@_attrs_define
class Authorization:
    """Whether a call may be made, and what is held for it.

    Attributes:
        success (bool): Always true.
        allowed (bool): Whether the call may be made.
        code (None | RefusalCode): Why it is refused: the first obstacle.
        message (str): The answer in words, with its numbers.
        authorization_id (None | str): Identifier of the authorization; `null`: the call is refused.
        apikey_id (None | str): Identifier of the key; `null`: there is no such key.
        amount (float | None): What was asked for, in yuan; `null`: what the call would cost is unknown, or there is no
            such key.
        model (None | str): The model of the call, by its name in the catalogue; `null`: it was asked for by an amount.
        prices (AuthorizationPricesType0 | None): The prices that are fixed for the authorization, in yuan per million
            tokens; `null`: it was asked for by an amount, or the model has no price.
        expires_at (int | None): When the hold ends by itself, in whole seconds since 1970 (UTC). `null` when not set.
        available (AvailableAfter): What is left after this answer: limit − spent − held. All `null` where there is no
            such key.
        refusal (AuthorizationRefusalType0 | None): The numbers of the first obstacle, each `null` where it does not
            apply; `null` where the call is allowed.
        replayed (bool | Unset): Only in the answer to a repeated `request_id`: nothing more is held.
    """

    success: bool
    allowed: bool
    code: None | RefusalCode
    message: str
    authorization_id: None | str
    apikey_id: None | str
    amount: float | None
    model: None | str
    prices: AuthorizationPricesType0 | None
    expires_at: int | None
    available: AvailableAfter
    refusal: AuthorizationRefusalType0 | None
    replayed: bool | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.authorization_prices_type_0 import AuthorizationPricesType0  # noqa: PLC0415
        from ..models.authorization_refusal_type_0 import AuthorizationRefusalType0  # noqa: PLC0415

        success = self.success

        allowed = self.allowed

        code: None | str
        if isinstance(self.code, RefusalCode):
            code = self.code.value
        else:
            code = self.code

        message = self.message

        authorization_id: None | str
        authorization_id = self.authorization_id

        apikey_id: None | str
        apikey_id = self.apikey_id

        amount: float | None
        amount = self.amount

        model: None | str
        model = self.model

        prices: dict[str, Any] | None
        if isinstance(self.prices, AuthorizationPricesType0):
            prices = self.prices.to_dict()
        else:
            prices = self.prices

        expires_at: int | None
        expires_at = self.expires_at

        available = self.available.to_dict()

        refusal: dict[str, Any] | None
        if isinstance(self.refusal, AuthorizationRefusalType0):
            refusal = self.refusal.to_dict()
        else:
            refusal = self.refusal

        replayed = self.replayed

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "success": success,
                "allowed": allowed,
                "code": code,
                "message": message,
                "authorization_id": authorization_id,
                "apikey_id": apikey_id,
                "amount": amount,
                "model": model,
                "prices": prices,
                "expires_at": expires_at,
                "available": available,
                "refusal": refusal,
            }
        )
        if replayed is not UNSET:
            field_dict["replayed"] = replayed

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.authorization_prices_type_0 import AuthorizationPricesType0  # noqa: PLC0415
        from ..models.authorization_refusal_type_0 import AuthorizationRefusalType0  # noqa: PLC0415
        from ..models.available_after import AvailableAfter  # noqa: PLC0415

        d = dict(src_dict)
        success = d.pop("success")

        allowed = d.pop("allowed")

        def _parse_code(data: object) -> None | RefusalCode:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                code_type_0 = RefusalCode(data)

                return code_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | RefusalCode, data)

        code = _parse_code(d.pop("code"))

        message = d.pop("message")

        def _parse_authorization_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        authorization_id = _parse_authorization_id(d.pop("authorization_id"))

        def _parse_apikey_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        apikey_id = _parse_apikey_id(d.pop("apikey_id"))

        def _parse_amount(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        amount = _parse_amount(d.pop("amount"))

        def _parse_model(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        model = _parse_model(d.pop("model"))

        def _parse_prices(data: object) -> AuthorizationPricesType0 | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                prices_type_0 = AuthorizationPricesType0.from_dict(data)

                return prices_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(AuthorizationPricesType0 | None, data)

        prices = _parse_prices(d.pop("prices"))

        def _parse_expires_at(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        expires_at = _parse_expires_at(d.pop("expires_at"))

        available = AvailableAfter.from_dict(d.pop("available"))

        def _parse_refusal(data: object) -> AuthorizationRefusalType0 | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                refusal_type_0 = AuthorizationRefusalType0.from_dict(data)

                return refusal_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(AuthorizationRefusalType0 | None, data)

        refusal = _parse_refusal(d.pop("refusal"))

        replayed = d.pop("replayed", UNSET)

        authorization = cls(
            success=success,
            allowed=allowed,
            code=code,
            message=message,
            authorization_id=authorization_id,
            apikey_id=apikey_id,
            amount=amount,
            model=model,
            prices=prices,
            expires_at=expires_at,
            available=available,
            refusal=refusal,
            replayed=replayed,
        )

        authorization.additional_properties = d
        return authorization

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
