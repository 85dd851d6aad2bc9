from enum import StrEnum


class RefusalCode(StrEnum):
    ACCOUNT_DISABLED = "account_disabled"
    BUDGET = "budget"
    DAILY_LIMIT = "daily_limit"
    INPUT_PRICE_LIMIT = "input_price_limit"
    KEY_DISABLED = "key_disabled"
    KEY_EXPIRED = "key_expired"
    KEY_NOT_FOUND = "key_not_found"
    MONTHLY_LIMIT = "monthly_limit"
    OPEN_HOLDS = "open_holds"
    OUTPUT_PRICE_LIMIT = "output_price_limit"
    UNKNOWN_MODEL = "unknown_model"

    def __str__(self) -> str:
        return str(self.value)
