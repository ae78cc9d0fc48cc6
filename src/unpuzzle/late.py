"""Packages whose names are imported from their modules when somebody asks for them (PEP 562)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def homes_of(**modules: str) -> dict[str, str]:
    """Return the module of each name: `homes_of(report="Check Difference")`."""
    return {name: module for module, names in modules.items() for name in names.split()}


def loader(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """Return a `__getattr__` that loads a package's names from its modules when they are used."""

    def load(name: str) -> object:
        from importlib import import_module

        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return load
