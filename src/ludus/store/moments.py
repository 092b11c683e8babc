"""Moments as the store keeps them: microseconds since 1970, UTC."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def microseconds(moment: datetime) -> int:
    """A moment as a number."""
    return (moment - _EPOCH) // _MICROSECOND


def moment(microseconds: int) -> datetime:
    """The moment again."""
    return _EPOCH + microseconds * _MICROSECOND


def now() -> int:
    """This moment as a number."""
    return microseconds(datetime.now(UTC))
