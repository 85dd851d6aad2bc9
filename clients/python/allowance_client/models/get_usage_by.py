from enum import StrEnum


class GetUsageBy(StrEnum):
    GROUP = "group"
    KEY = "key"

    def __str__(self) -> str:
        return str(self.value)
