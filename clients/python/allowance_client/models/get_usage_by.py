from enum import StrEnum


class GetUsageBy(StrEnum):
    GROUP = "group"
    KEY = "key"
    MODEL = "model"

    def __str__(self) -> str:
        return str(self.value)
