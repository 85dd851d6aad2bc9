from enum import StrEnum


class ListHistoryActor(StrEnum):
    BROWSER = "browser"
    COMMAND_LINE = "command_line"
    REST = "rest"

    def __str__(self) -> str:
        return str(self.value)
