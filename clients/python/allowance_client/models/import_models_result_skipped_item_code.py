from enum import StrEnum


class ImportModelsResultSkippedItemCode(StrEnum):
    DESCRIBES_FORMAT = "describes_format"
    NOT_AN_OBJECT = "not_an_object"
    NOT_BY_TOKENS = "not_by_tokens"
    NO_INPUT_PRICE = "no_input_price"
    NO_OUTPUT_PRICE = "no_output_price"
    NO_PRICE = "no_price"
    REFUSED = "refused"
    ROUNDS_TO_ZERO = "rounds_to_zero"
    SAME_NAME = "same_name"

    def __str__(self) -> str:
        return str(self.value)
