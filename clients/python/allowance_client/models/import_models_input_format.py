from enum import StrEnum


class ImportModelsInputFormat(StrEnum):
    CSV = "csv"
    LITELLM = "litellm"

    def __str__(self) -> str:
        return str(self.value)
