from enum import StrEnum


class ListUsageTotalsSort(StrEnum):
    CACHED_INPUT_TOKENS = "cached_input_tokens"
    CAPTURES = "captures"
    INPUT_TOKENS = "input_tokens"
    NAME = "name"
    OUTPUT_TOKENS = "output_tokens"
    SPENT = "spent"

    def __str__(self) -> str:
        return str(self.value)
