"""Without the compiled core none of these tests is collected."""

from unpuzzle.planning import registry

collect_ignore_glob = ["test_*.py"] if registry.missing("native") is not None else []
