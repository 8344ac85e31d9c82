# SPDX-License-Identifier: GPL-2.0-or-later
"""Slurm's host list expressions: "n[1-3,7],gpu[01-02]" -> n1 n2 n3 n7 gpu01 gpu02."""

from __future__ import annotations

import re
from itertools import product

_MAX_NODES = 4096


def _expand_range(text: str) -> list[str]:
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", text)
    if match is None:
        raise ValueError(f"'{text}' is no number and no range of numbers")
    first, last = match[1], match[2] or match[1]
    if int(last) < int(first) or int(last) - int(first) >= _MAX_NODES:
        raise ValueError(f"the range '{text}' is reversed or too long")
    return [str(number).zfill(len(first)) for number in range(int(first), int(last) + 1)]


def expand(expression: str) -> list[str]:
    """The names in order; ValueError says what is wrong with the expression."""
    names: list[str] = []
    # Commas in brackets do not separate names.
    for word in re.split(r",(?![^\[]*\])", expression):
        parts = re.split(r"\[([^\[\]]*)\]", word)  # text, bracket, text, bracket, ..., text
        if any(character in "[]" for text in parts[::2] for character in text) or not word:
            raise ValueError(f"unbalanced brackets or an empty name in '{expression}'")
        choices = [[text] for text in parts]
        for index in range(1, len(parts), 2):
            choices[index] = [n for item in parts[index].split(",") for n in _expand_range(item)]
        names.extend("".join(pieces) for pieces in product(*choices))
        if len(names) > _MAX_NODES:
            raise ValueError(f"more than {_MAX_NODES} nodes in '{expression}'")
    return names
