#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The templates of agent/playbook/codegen (*.in): each is used, names its placeholders in its head, has its section names alone, and compiles
when filled.

templates.py PROGRAM           golden/templates.txt has a graph of golden/graphs.xz for each section, with knobs and a file:
                               that file is emitted, contains the section, and compiles. CUDA by nvcc where there is one,
                               else in emulator/ as C++. No torch: sections in torch/ are only looked for.
templates.py PROGRAM --freeze  chooses the fewest and shortest such files again: after a template was added. Takes minutes.

PROGRAM: playbook_text of the build. Exit code 0: so it is, 1: not.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from cuda_to_cpp import as_cpp, calls_no_library
from golden import stored_graphs

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FILES = HERE / "golden/templates.txt"
PLACEHOLDER = re.compile(r"@(\w+)@")
NVCC = ["nvcc", "-std=c++17", "-arch=sm_90a", "-cubin", "-o", "/dev/null"]
EMULATED = ["g++", "-std=c++20"]
EMULATOR = "tests/playbook/emulator/emulator.h"
LEAST = 16  # characters of a distinctive piece
SHARE = 0.75


def templates():
    """{path: (head, {section: text})}"""
    found = {}
    for path in sorted((ROOT / "agent/playbook/codegen").rglob("templates/*.in")):
        head, *parts = re.split(r"^//! section (\w+): .*\n", path.read_text(), flags=re.M)
        found[path] = head, dict(zip(parts[::2], parts[1::2]))
    return found


def names_in(text):
    """Placeholders, without the prefixes of lines for 2-D or 3-D alone."""
    return {name for name in PLACEHOLDER.findall(re.sub(r"^(@[23]@|@>@)", "", text, flags=re.M)) if not name.isdigit()}


def head_problems(path, head, sections):
    name = path.relative_to(ROOT)
    documented, used = names_in(head), set().union(*map(names_in, sections.values()))
    for word in sorted(used - documented):
        yield f"{name}: the head does not name @{word}@"
    for word in sorted(documented - used):
        yield f"{name}: the head names @{word}@, which no section has"


def repeated_sections(found):
    """A name is a QString of its header: the second one is another text of that name, or none that links."""
    first = {}
    for path, (_, sections) in found.items():
        for name in sections:
            if name in first:
                yield f"{path.relative_to(ROOT)}: the section {name} is in {first[name].relative_to(ROOT)} too: rename one of them"
            first.setdefault(name, path)


class Traces:
    """Recognizes sections in a text by the pieces between their placeholders. Filling in and later passes over the text change
    some pieces: one that no other section has must be there, and most of the others."""

    def __init__(self, sections):
        lines = {name: re.sub(r"^@[23]@.*\n", "", text, flags=re.M) for name, text in sections.items()}
        self.pieces = {name: {piece.strip() for piece in re.split(r"@(?:\w+|>)@\\?|\n", text)} - {""} for name, text in lines.items()}
        self.marks = {name: max(each, key=lambda piece: (sum(piece in text for text in lines.values()) == 1, "int64_t" not in piece,
                                                         min(len(piece), LEAST), piece)) for name, each in self.pieces.items()}

    def is_in(self, name, text):
        pieces = self.pieces[name]
        return self.marks[name] in text and sum(piece in text for piece in pieces) >= SHARE * len(pieces)


def texts_of(program, wanted):
    """{(graph, knobs): files} of such pairs; one process for the graphs of a set of knobs."""
    graphs = {name: graph for name, _, graph in stored_graphs()[1]}
    by_knobs = collections.defaultdict(list)
    for graph, knobs in sorted(wanted):
        by_knobs[knobs].append(graph)

    def answered(knobs, names):
        done = subprocess.run([program, "" if knobs == "plain" else knobs], input="".join(graphs[name] + "\n" for name in names), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        return [((name, knobs), json.loads(line).get("files", {})) for name, line in zip(names, done.stdout.splitlines())]

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(sum(pool.map(lambda item: answered(*item), by_knobs.items()), []))


def freeze(traces, texts):
    """A short set of files that covers all sections: greedy, by characters for each new section."""
    all_files = {(*key, path): text for key, each in texts.items() for path, text in each.items() if path.startswith("kernels/")}
    files = {file: {name for name in traces.marks if traces.is_in(name, text)} for file, text in all_files.items()}
    chosen, left = {}, set(traces.marks)
    while left:
        best = min((file for file in files if files[file] & left), default=None,
                   key=lambda file: (len(all_files[file]) / len(files[file] & left), file))
        if best is None:
            break
        chosen.update(dict.fromkeys(files[best] & left, best))
        left -= files[best]
    FILES.write_text("".join("\t".join((name, *chosen[name])) + "\n" for name in sorted(chosen)))


def nvcc_command():
    """nvcc with the include folders of libraries; None if it is missing."""
    if shutil.which(NVCC[0]) is None:
        return None
    near = [folder for root in (pathlib.Path.home() / ".local/share/warpwright/env").glob("lib/python3*/site-packages/nvidia/cudnn/include")
            for folder in ("-I", str(root))]
    return [*NVCC, *near]


def is_there(command, header):
    """Whether nvcc finds a library's header, without which calls of the library do not compile."""
    return command is not None and subprocess.run([*command[:1], *command[6:], "-x", "cu", "-E", "-"], input=f"#include <{header}>\n", text=True,
                                                  capture_output=True, check=False).returncode == 0


def compile_problem(folder, path, text, nvcc, cudnn):
    """The compiler's errors in a candidate's file; None: it compiles, or no compiler is there."""
    source = folder / path
    if path.endswith(".cu"):
        if nvcc and (cudnn or "cudnn" not in text):
            command = [*nvcc, str(source)]
        elif calls_no_library(text):
            source = source.with_suffix(".cc")
            source.write_text(as_cpp(text))
            command = [*EMULATED, "-fsyntax-only", "-I", str(folder.parent), "-I", str(ROOT), str(source)]
        else:
            return None
    elif path.endswith("binding.cpp") or path.endswith(".h"):
        return None
    else:
        command = ["g++", "-std=c++17", "-fsyntax-only", "-fopenmp", "-DWARPWRIGHT_CPU", str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=source.parent)
    return done.stderr[:1500] if done.returncode else None


def problems_of(program, traces):
    rows = {name: (graph, knobs, path) for name, graph, knobs, path in (line.split("\t") for line in FILES.read_text().splitlines())}
    for name in sorted(traces.marks.keys() - rows.keys()):
        yield f"section {name}: no graph emits it. What to do: {pathlib.Path(__file__).name} {program} --freeze; if it is missing still, it is dead."
    for name in sorted(rows.keys() - traces.marks.keys()):
        yield f"{FILES.name}: there is no section {name} any more"
    texts = texts_of(program, {row[:2] for row in rows.values()})
    for name, (graph, knobs, path) in rows.items():
        if name in traces.marks and not traces.is_in(name, texts[graph, knobs].get(path, "")):
            yield f"section {name} is not in {path} of «{graph}», {knobs} any more. What to do: --freeze"
    nvcc = nvcc_command()
    cudnn = is_there(nvcc, "cudnn.h")
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        if nvcc is None:  # precompile the header
            made = pathlib.Path(scratch) / f"{EMULATOR}.gch"
            made.parent.mkdir(parents=True)
            subprocess.run([*EMULATED, "-x", "c++-header", str(ROOT / EMULATOR), "-I", str(ROOT), "-o", str(made)], check=True,
                           capture_output=True)
        jobs = []
        for number, (graph, knobs, path) in enumerate(sorted(set(rows.values()))):
            files = texts[graph, knobs]
            folder = pathlib.Path(scratch) / str(number)
            for each, text in files.items():
                (folder / each).parent.mkdir(parents=True, exist_ok=True)
                (folder / each).write_text(text)
            if path in files:
                jobs.append((graph, knobs, path, pool.submit(compile_problem, folder, path, files[path], nvcc, cudnn)))
        for graph, knobs, path, job in jobs:
            if output := job.result():
                yield f"{path} of «{graph}», {knobs} does not compile:\n{output}"
    print(f"{len(traces.marks)} sections in {len(jobs)} files, compiled by {'nvcc' if nvcc else 'g++ and the emulator'}.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--freeze", action="store_true")
    options = parser.parse_args()
    found = templates()
    problems = [problem for path, (head, sections) in found.items() for problem in head_problems(path, head, sections)]
    problems += repeated_sections(found)
    traces = Traces({name: text for _, sections in found.values() for name, text in sections.items()})
    if options.freeze:
        freeze(traces, texts_of(options.program, {(name, knobs) for name, knob_sets, _ in stored_graphs()[1] for knobs in knob_sets.split()}))
    problems += problems_of(options.program, traces)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
