#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""embed.py OUTPUT FILE...: the files as arrays of C, each by its name: page.css is page_css."""

import pathlib
import sys

HEAD = "/* Made by embed.py. */\n#ifndef {0}\n#define {0}\n"


def array(path):
    numbers = [str(byte) if byte < 128 else str(byte - 256) for byte in path.read_bytes()]
    lines = [",".join(numbers[at : at + 32]) for at in range(0, len(numbers), 32)]
    name = path.name.replace(".", "_")
    return f"\nstatic const char {name}[] = {{\n" + ",\n".join(lines) + "\n};\n"


output, *files = map(pathlib.Path, sys.argv[1:])
output.write_text(HEAD.format(output.name.replace(".", "_").upper()) + "".join(map(array, files)) + "\n#endif\n", encoding="utf-8")
