from enum import StrEnum


class GetModelResultState(StrEnum):
    IN_FORCE = "in_force"
    OVERRIDDEN = "overridden"
    SUPERSEDED = "superseded"
    UPCOMING = "upcoming"

    def __str__(self) -> str:
        return str(self.value)
