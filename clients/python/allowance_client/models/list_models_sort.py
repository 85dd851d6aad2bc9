from enum import StrEnum


class ListModelsSort(StrEnum):
    CACHED_INPUT = "cached_input"
    INPUT = "input"
    MAX_OUTPUT_TOKENS = "max_output_tokens"
    NAME = "name"
    OUTPUT = "output"
    VALID_FROM = "valid_from"

    def __str__(self) -> str:
        return str(self.value)
