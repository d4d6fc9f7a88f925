# SPDX-License-Identifier: GPL-3.0-or-later
"""Translates the CUDA kernels of a candidate to C++ for a CPU: emulator/emulator.h stands in for CUDA's headers."""

import pathlib
import re

from inline_ptx import end_of, parts_of, without_asm

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARIES = ("cublasLt", "cudnn")  # their calls cannot run here; the CPU twin replaces such kernels


def calls_no_library(text):
    return not any(library in text for library in LIBRARIES)


def without_mma_wrappers(text):
    """Replaces functions that wrap one mma or ldmatrix instruction by calls of emulator/matrix_units.h."""
    def called(function):
        head, word = function[1], re.search(r"\.(bf16|f16|tf32)\.|(trans)", function[2])
        names = [re.search(r"&(\w+)\)|(\w+)$", part) for part in parts_of(head[head.index("(") + 1:-1])]
        names = [name[1] or name[2] for name in names]
        kind = next((group for group in word.groups() if group), "") if word else ""
        name = re.search(r"(\w+)\(", head)[1] + kind.capitalize()
        return f"{head} {{\n    emulator::{name}({', '.join(names)});\n}}\n"
    return re.sub(r"(__device__ void \w+\([^{]*\)) \{\n    asm volatile\((.*?)\);\n\}\n", called, text, flags=re.S)


def without_programmatic_launch(text):
    """Plain launches: here a kernel ends before the next begins."""
    text = text.replace('#include "early_launch.h"\n\n', "").replace("    waitForPreviousKernel();\n", "")
    result, rest = "", text
    while "launchEarly(" in rest:
        before, rest = rest.split("launchEarly(", 1)
        end = end_of("(" + rest, 0) - 1
        kernel = re.match(r"\w+(?:<[^<>]*>)?", rest)[0]
        grid, block, shared, stream, *arguments = parts_of(rest[len(kernel) + 1:end - 1])
        result += f"{before}{kernel}<<<{grid}, {block}, {shared}, {stream}>>>({', '.join(arguments)})"
        rest = rest[end:]
    return result + rest


def as_cpp(text):
    """The kernels and their launchers, with launches by emulator::launch."""
    text = without_asm(without_mma_wrappers(without_programmatic_launch(text)))
    text = text.replace("extern __shared__ uint4 memory[];", "static thread_local uint4 memory[1 << 14];")
    text = text.replace("extern __shared__ __align__(1024) unsigned char shared[];",
                        "unsigned char *const shared = emulator::Block::ofThisThread().sharedMemory();")
    cluster = re.search(r"__cluster_dims__\((\w+)", text)
    text = text.replace("#include <cuda_runtime.h>", '#include "tests/playbook/emulator/emulator.h"')
    result, rest = "", re.sub(r"#include <cuda(_\w+)?\.h>\n", "", text)
    while "<<<" in rest:
        before, rest = rest.split("<<<", 1)
        shape, rest = rest.split(">>>", 1)
        kernel = re.search(r"[A-Za-z_]\w*(?:<[^<>]*>)?\s*$", before)
        end = end_of(rest, 0)
        grid, block, shared = (*parts_of(shape), "0")[:3]
        # The cluster size: of a template the first argument.
        blocks = re.search(r"<(\w+)", kernel[0])[1] if cluster and cluster[1] == "BLOCKS" else cluster[1] if cluster else 1
        result += (f"{before[:kernel.start()]}emulator::launch({grid}, {block}, {blocks}, "
                 f"{shared}, [&] {{ {kernel[0].strip()}{rest[:end]}; }})")
        rest = rest[end:]
    result += rest
    return re.sub(r"(int config, cudaStream_t stream\) \{\n)", r"\1    config = emulator::chosen(config);\n", result)
