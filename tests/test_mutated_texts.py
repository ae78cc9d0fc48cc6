"""Damaged texts of every format are read, or refused with an error of ours: never anything else."""

from __future__ import annotations

import pytest

from support.mutated_texts import escapes, kinds, mutated
from support.thorough import at_most


@pytest.mark.parametrize("shard", range(4))
def test_no_damaged_text_breaks_a_reader(shard: int) -> None:
    """All together some thousands; `scripts/mutate_texts.py` tries as many as one likes."""
    broken = [
        f"{kind}, seed {seed}: {error!r} for {data[:2000]!r}"
        for seed in range(shard, at_most(40), 4)
        for kind, data, error in escapes(seed)
    ]
    assert not broken


def test_every_text_that_is_right_is_read() -> None:
    for kind, (texts, read) in kinds().items():
        assert texts or kind.startswith("level of"), kind
        for text in texts:
            read(text)


def test_texts_are_damaged() -> None:
    from random import Random

    texts = kinds()["PDDL domain"][0]
    damaged = [mutated(Random(seed), texts[0], texts) for seed in range(50)]
    assert len(set(damaged)) > 40
