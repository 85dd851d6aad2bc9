from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.activity_kind import ActivityKind
from ..models.refusal_code import RefusalCode

if TYPE_CHECKING:
    from ..models.activity_usage_type_0 import ActivityUsageType0


T = TypeVar("T", bound="Activity")


@_attrs_define
class Activity:
    """A call that is over.

    Attributes:
        id (str): Identifier of the call, unique in the account.
        kind (ActivityKind): What became of the call.
        at (int): When it was asked for, in whole seconds since 1970 (UTC).
        settled_at (int | None): When it was captured, voided or had expired, in whole seconds since 1970 (UTC). `null`
            when not set.
        amount (float | None): What was asked for, in yuan; `null`: what the call would have cost was unknown.
        model (None | str): The model of the call, by its name in the catalogue; `null`: it was asked for by an amount.
        usage (ActivityUsageType0 | None): The tokens that it was captured with; `null`: it was captured with an amount,
            or not at all.
        captured (float | None): What was captured, in yuan.
        overrun (bool): More was captured than was held.
        late (bool): It was captured after the hold had ended.
        code (None | RefusalCode): Why it was refused.
        price (float | None): The price that was refused, in yuan per million tokens; `null`: unknown, or it was not
            refused for a price.
        ceiling (float | None): The ceiling of the key at that time; `null`: it was not refused for a price.
        request_id (None | str): What the caller calls it.
        gateway (None | str): The name of the gateway that asked for it; `null`: the account itself.
        authorization_id (None | str): Identifier of the authorization; `null`: it was refused.
    """

    id: str
    kind: ActivityKind
    at: int
    settled_at: int | None
    amount: float | None
    model: None | str
    usage: ActivityUsageType0 | None
    captured: float | None
    overrun: bool
    late: bool
    code: None | RefusalCode
    price: float | None
    ceiling: float | None
    request_id: None | str
    gateway: None | str
    authorization_id: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.activity_usage_type_0 import ActivityUsageType0  # noqa: PLC0415

        id = self.id

        kind = self.kind.value

        at = self.at

        settled_at: int | None
        settled_at = self.settled_at

        amount: float | None
        amount = self.amount

        model: None | str
        model = self.model

        usage: dict[str, Any] | None
        if isinstance(self.usage, ActivityUsageType0):
            usage = self.usage.to_dict()
        else:
            usage = self.usage

        captured: float | None
        captured = self.captured

        overrun = self.overrun

        late = self.late

        code: None | str
        if isinstance(self.code, RefusalCode):
            code = self.code.value
        else:
            code = self.code

        price: float | None
        price = self.price

        ceiling: float | None
        ceiling = self.ceiling

        request_id: None | str
        request_id = self.request_id

        gateway: None | str
        gateway = self.gateway

        authorization_id: None | str
        authorization_id = self.authorization_id

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "kind": kind,
                "at": at,
                "settled_at": settled_at,
                "amount": amount,
                "model": model,
                "usage": usage,
                "captured": captured,
                "overrun": overrun,
                "late": late,
                "code": code,
                "price": price,
                "ceiling": ceiling,
                "request_id": request_id,
                "gateway": gateway,
                "authorization_id": authorization_id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.activity_usage_type_0 import ActivityUsageType0  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        kind = ActivityKind(d.pop("kind"))

        at = d.pop("at")

        def _parse_settled_at(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        settled_at = _parse_settled_at(d.pop("settled_at"))

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

        def _parse_usage(data: object) -> ActivityUsageType0 | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                usage_type_0 = ActivityUsageType0.from_dict(data)

                return usage_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ActivityUsageType0 | None, data)

        usage = _parse_usage(d.pop("usage"))

        def _parse_captured(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        captured = _parse_captured(d.pop("captured"))

        overrun = d.pop("overrun")

        late = d.pop("late")

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

        def _parse_price(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        price = _parse_price(d.pop("price"))

        def _parse_ceiling(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        ceiling = _parse_ceiling(d.pop("ceiling"))

        def _parse_request_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        request_id = _parse_request_id(d.pop("request_id"))

        def _parse_gateway(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        gateway = _parse_gateway(d.pop("gateway"))

        def _parse_authorization_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        authorization_id = _parse_authorization_id(d.pop("authorization_id"))

        activity = cls(
            id=id,
            kind=kind,
            at=at,
            settled_at=settled_at,
            amount=amount,
            model=model,
            usage=usage,
            captured=captured,
            overrun=overrun,
            late=late,
            code=code,
            price=price,
            ceiling=ceiling,
            request_id=request_id,
            gateway=gateway,
            authorization_id=authorization_id,
        )

        activity.additional_properties = d
        return activity

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
