from enum import StrEnum


class ExportUsageTotalsBy(StrEnum):
    GROUP = "group"
    KEY = "key"
    MODEL = "model"

    def __str__(self) -> str:
        return str(self.value)
