# SPDX-License-Identifier: GPL-3.0-or-later
"""The CUDA kernels of a candidate as C++ for a CPU: emulator/emulator.h stands in for CUDA's."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARIES = ("cublasLt", "cudnn", "wgmma")  # their calls, or units, cannot be run; the twin for a CPU stands in for these


def is_ours(text):
    return not any(library in text for library in LIBRARIES)


def end_of(text, start):
    """Behind the bracket that closes the one at `start`."""
    depth = 0
    for place in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place + 1
    raise ValueError("a bracket is not closed")


def parts_of(text):
    """What stands between commas that are in no bracket."""
    parts, depth = [""], 0
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def without_instructions(text):
    """Functions that are one instruction of the matrix units, by emulator/matrix_units.h."""
    def called(function):
        head, word = function[1], re.search(r"\.(bf16|f16|tf32)\.|(trans)", function[2])
        names = [re.search(r"&(\w+)\)|(\w+)$", part) for part in parts_of(head[head.index("(") + 1:-1])]
        names = [name[1] or name[2] for name in names]
        kind = next((group for group in word.groups() if group), "") if word else ""
        name = re.search(r"(\w+)\(", head)[1] + kind.capitalize()
        return f"{head} {{\n    emulator::{name}({', '.join(names)});\n}}\n"
    return re.sub(r"(__device__ void \w+\([^{]*\)) \{\n    asm volatile\((.*?)\);\n\}\n", called, text, flags=re.S)


def as_cpp(text):
    """The same kernels and launchers, launched by emulator::launch."""
    text = re.sub(r'asm\("ex2\.approx\.ftz\.f32 %0, %1;" : "=f"\((\w+)\) : "f"\((.*?)\)\);', r"\1 = std::exp2(\2);",
                  without_instructions(text))
    text = re.sub(r'asm\("lg2\.approx\.ftz\.f32 %0, %1;" : "=f"\((\w+)\) : "f"\((.*?)\)\);', r"\1 = std::log2(\2);", text)
    text = re.sub(r'asm\("rcp\.approx\.ftz\.f32 %0, %1;" : "=f"\((\w+)\) : "f"\((.*?)\)\);', r"\1 = 1.0f / (\2);", text)
    text = text.replace("extern __shared__ uint4 memory[];", "static thread_local uint4 memory[1 << 14];")
    cluster = re.search(r"__cluster_dims__\((\w+)", text)
    text = text.replace("#include <cuda_runtime.h>", '#include "tests/playbook/emulator/emulator.h"')
    made, rest = "", re.sub(r"#include <cuda_\w+\.h>\n", "", text)
    while "<<<" in rest:
        before, rest = rest.split("<<<", 1)
        shape, rest = rest.split(">>>", 1)
        kernel = re.search(r"[A-Za-z_]\w*(?:<[^<>]*>)?\s*$", before)
        end = end_of(rest, 0)
        grid, block = parts_of(shape)[:2]
        made += (f"{before[:kernel.start()]}emulator::launch({grid}, {block}, {cluster[1] if cluster else 1}, "
                 f"[&] {{ {kernel[0].strip()}{rest[:end]}; }})")
        rest = rest[end:]
    made += rest
    return re.sub(r"(int config, cudaStream_t stream\) \{\n)", r"\1    config = emulator::chosen(config);\n", made)
