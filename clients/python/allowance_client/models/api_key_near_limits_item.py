from enum import StrEnum


class ApiKeyNearLimitsItem(StrEnum):
    BUDGET = "budget"
    DAILY_LIMIT = "daily_limit"
    MONTHLY_LIMIT = "monthly_limit"

    def __str__(self) -> str:
        return str(self.value)
