from enum import StrEnum


class ListApiKeysLook(StrEnum):
    DIFFERS_FROM_GROUP = "differs_from_group"
    EXPIRING_7_DAYS = "expiring_7_days"
    IDLE_30_DAYS = "idle_30_days"
    NEVER_USED = "never_used"
    OVER_80 = "over_80"
    UNLIMITED = "unlimited"

    def __str__(self) -> str:
        return str(self.value)
