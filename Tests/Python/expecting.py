"""Narrows types in tests: fails unless a value is there or is of a kind."""

from typing import Optional, TypeVar

T = TypeVar("T")


def present(value: Optional[T]) -> T:
    assert value is not None, "it is missing"
    return value


def is_a(kind: type[T], value: object) -> T:
    assert isinstance(value, kind), value
    return value
