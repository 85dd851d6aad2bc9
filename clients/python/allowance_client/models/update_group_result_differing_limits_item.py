from enum import StrEnum


class UpdateGroupResultDifferingLimitsItem(StrEnum):
    BUDGET = "budget"
    DAILY_LIMIT = "daily_limit"
    EXPIRY_DATE = "expiry_date"
    INPUT_PRICE_LIMIT = "input_price_limit"
    MONTHLY_LIMIT = "monthly_limit"
    OUTPUT_PRICE_LIMIT = "output_price_limit"

    def __str__(self) -> str:
        return str(self.value)
