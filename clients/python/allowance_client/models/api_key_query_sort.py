from enum import StrEnum


class ApiKeyQuerySort(StrEnum):
    BUDGET = "budget"
    CREATED_AT = "created_at"
    DAILY_LIMIT = "daily_limit"
    EXPIRY_DATE = "expiry_date"
    INPUT_PRICE_LIMIT = "input_price_limit"
    LAST_USED_AT = "last_used_at"
    MONTHLY_LIMIT = "monthly_limit"
    NAME = "name"
    OUTPUT_PRICE_LIMIT = "output_price_limit"
    SHARE_USED = "share_used"
    SPENT = "spent"
    SPENT_THIS_MONTH = "spent_this_month"
    SPENT_TODAY = "spent_today"

    def __str__(self) -> str:
        return str(self.value)
