#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The golden texts: a hash of every file that the playbook emits. A refactoring must not change any of them.

golden.py PROGRAM           compares with golden/hashes.txt: every graph of golden/graphs.xz with the sets of knobs that
                            check.py tries, the first and the last config, for playbook_text.cpp's device. No torch.
golden.py PROGRAM --freeze  writes golden/hashes.txt: commit it with the change of the emitted texts. Writes nothing if an answer is
                            invalid or a graph is gone; --drop: graphs may be gone
golden.py PROGRAM --read    reads the graphs again (needs torch): after a change of a reference, of check.py's rows or of
                            the reader in resources/playbook; then freeze

PROGRAM: playbook_text of the build; it must print nothing on standard error. To see what changed in a text, print it with both
builds: golden.py PROGRAM --text NAME FILE [KNOBS]

hashes.txt has a graph's name, and below it a line a file: its path, and one hash of it over all knobs and configs.
«moves» are the playbook's moves from there as text and figures, «signature» is the program. Exit code 0: the same; 1: different,
or a graph is missing. The reader in resources/playbook is not among SOURCES, since a comment in it would then invalidate all
graphs: check.py --reading finds graphs that the reader would now make differently.
"""

import argparse
import concurrent.futures
import hashlib
import json
import lzma
import os
import pathlib
import re
import shlex
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
GRAPHS, HASHES = HERE / "golden/graphs.xz", HERE / "golden/hashes.txt"
# Where references come from: graphs.xz must have been read from the current text of each of these files.
SOURCES = ("resources/tasks/*/*.py", "resources/samples/*/model.py", "resources/lessons/*/model.py")
ROWS = ("attentions", "borders", "complex_numbers", "convolutions", "functions", "handfuls", "images", "long_sums", "odd", "products",
        "recurrences", "rewritten", "rows", "sampled", "slices", "sorted_rows")
SECONDS = 300  # for an eighth of the graphs or less: all take a minute
CONFLICT = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")


def replace_file(path, content):
    """Replaces the file atomically: an interrupted run leaves the old one."""
    partial = path.with_name(f"{path.name}.{os.getpid()}")
    partial.write_bytes(content)
    os.replace(partial, path)


def sources():
    files = sorted({path for pattern in SOURCES for path in ROOT.glob(pattern)} | {HERE / f"{name}.py" for name in ROWS})
    return {str(path.relative_to(ROOT)): hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in files}


def references():
    """(name, task, is_small, sets of knobs) of everything that check.py tries."""
    import check
    import handfuls as sets
    from attentions import ROWS as ATTENTIONS
    from complex_numbers import ROWS as COMPLEX
    from convolutions import ROWS as CONVOLUTIONS
    from functions import ROWS as FUNCTIONS
    from images import IMAGES
    from long_sums import ROWS as LONG_SUMS, SHORTER
    from odd import ODD
    from products import ROWS as MATMULS, SUMMED
    from recurrences import CELL_MATMULS, LONG, ROWS as RECURRENCES
    from rewritten import PAIRS
    from rows import ROWS as OF_ROWS
    from sampled import SAMPLED
    from slices import ROWS as SLICES
    from sorted_rows import ROWS as SORTED
    from task_file import TaskFile, all_tasks

    default = [*sets.KNOB_SETS, *sets.CUDA_KNOB_SETS]
    both = [default[1], *sets.CUDA_KNOB_SETS]
    matmuls, convolutions = [sum(map(list, each), []) for each in (sets.MATMUL_KNOB_SETS, sets.CONVOLUTION_KNOB_SETS)]
    attentions = sum(map(list, sets.ATTENTION_KNOB_SETS), [])
    of_kind = {"attention": attentions, "block": attentions + matmuls, "convolution": convolutions, "gemm": matmuls,
               "recurrent": ["vkp", "wobtp"]}
    tasks = all_tasks(ROOT / "resources/tasks")
    small = {*sets.HANDFUL, *sets.CUDA_HANDFUL}
    for task in tasks:
        knob_sets = default + of_kind.get(task.kind, [])
        yield f"{task.kind}/{task.name}", task, False, knob_sets
        if task.name in small:
            yield f"{task.kind}/{task.name} small", task, True, knob_sets
    for pattern in SOURCES[1:]:
        for path in sorted(ROOT.glob(pattern)):
            yield f"{path.parent.parent.name}/{path.parent.name}", TaskFile(path), False, default
    groups = (("attentions", ATTENTIONS, attentions), ("functions", FUNCTIONS, both + matmuls), ("rows", OF_ROWS, default), ("sorted", SORTED, both),
              ("complex", COMPLEX, both), ("long sums", LONG_SUMS, both[:1]), ("shorter sums", SHORTER, both[1:]), ("slices", SLICES, both),
              ("products", MATMULS, matmuls), ("summed", SUMMED, matmuls), ("convolutions", CONVOLUTIONS, convolutions),
              ("recurrences", [*RECURRENCES, *LONG], both), ("cell products", CELL_MATMULS, ["vkp", "wobtp"]),
              ("odd", [(name, text) for name, _, text in ODD], ["", "c"]), ("images", [(name, text) for name, _, text in IMAGES], ["", "c"]),
              ("rewritten", [(name, text) for name, _, text in PAIRS], [""]))
    for group, rows, knob_sets in groups:
        for name, text in rows:
            yield f"{group}: {name}", check.OddTask(name, text), False, knob_sets
    for number, (name, letters, _, text) in enumerate(SAMPLED):
        yield f"sampled: {name} {number}", check.OddTask(name, text), False, [letters, "vk" + letters[3:]]


def read_graphs():
    sys.path[:0] = [str(HERE), str(ROOT / "tests/tasks"), str(ROOT / "resources/playbook")]
    from torch_python import with_torch

    with_torch()
    import check
    import read_reference

    lines = [json.dumps(sources())]
    for name, task, is_small, knob_sets in references():
        graph = check.graph_line(read_reference, task, is_small)
        lines.append("\t".join((name, " ".join(each or "plain" for each in dict.fromkeys(knob_sets)), graph)))
        print(f"\r{len(lines) - 1} graphs ", end="", file=sys.stderr)
    GRAPHS.parent.mkdir(exist_ok=True)
    replace_file(GRAPHS, lzma.compress("\n".join(lines).encode(), preset=9))
    print(f"\nread: {len(lines) - 1} graphs, {GRAPHS.stat().st_size} bytes", file=sys.stderr)


def stored_graphs():
    """(source hashes, [(name, sets of knobs, graph)])"""
    try:
        first, *lines = lzma.decompress(GRAPHS.read_bytes()).decode().split("\n")
        stored = json.loads(first)
    except (OSError, EOFError, ValueError, lzma.LZMAError) as why:
        raise SystemExit(f"{GRAPHS}: cannot be read ({why}): take it from git, or make it by --read.") from None
    rows, names = [line.split("\t") for line in lines], set()
    for number, row in enumerate(rows, 2):
        if len(row) != 3 or not all(row):
            raise SystemExit(f"{GRAPHS}: line {number} is not a name, sets of knobs and a graph, separated by tabs: {lines[number - 2][:60]!r}")
        if row[0] in names:
            raise SystemExit(f"{GRAPHS}: there are two graphs «{row[0]}».")
        names.add(row[0])
    return stored, rows


def changed_graphs(tasks, lines):
    """Tasks whose stored graph differs from what the reader makes now."""
    stored = {name: graph for name, _, graph in stored_graphs()[1]}
    for task, line in zip(tasks, lines):
        if stored.get(f"{task.kind}/{task.name}") != line:
            yield f"{task.name}: golden/graphs.xz holds a different graph than the reader makes; golden.py --read, then --freeze"


def answer_problem(knob_sets, answer):
    """Why an answer is invalid; None: it is valid."""
    if not isinstance(answer, dict) or "fault" in answer:
        return answer["fault"] if isinstance(answer, dict) else f"answers {answer!r}"
    if answer.keys() != set(knob_sets.split()):
        return f"answers for the knobs {' '.join(sorted(answer)) or 'none'}, but was asked for {knob_sets}"
    for knobs, hashes in answer.items():
        if not isinstance(hashes, dict) or not all(hashes.values()) or not ("cannot" in hashes or any("." in path for path in hashes)):
            return f"has no texts for the knobs {knobs}"
    return None


def answers_to(program, rows):
    try:
        done = subprocess.run([program, "--hashes"], input="".join(f"{knob_sets}\t{graph}\n" for _, knob_sets, graph in rows), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=SECONDS)
    except subprocess.TimeoutExpired as late:
        name = rows[min((late.stdout or b"").count(b"\n"), len(rows) - 1)][0]
        raise SystemExit(f"{program} did not finish within {SECONDS} s, at the graph «{name}».") from None
    except OSError as why:
        raise SystemExit(f"{program} does not start: {why}") from None
    lines = done.stdout.splitlines()
    if done.returncode or len(lines) != len(rows):
        name = rows[min(len(lines), len(rows) - 1)][0]
        raise SystemExit(f"{program} ended with status {done.returncode} at the graph «{name}»:\n{done.stderr[-2000:]}")
    if done.stderr:  # a %2 without its argument shows only there
        raise SystemExit(f"{program} complains at one of the graphs «{rows[0][0]}» to «{rows[-1][0]}»:\n{done.stderr[-2000:]}")
    try:
        return [json.loads(line) for line in lines]
    except ValueError as why:
        raise SystemExit(f"{program} answers with something that is not JSON: {why}") from None


def hash_lines(program, rows):
    count = os.cpu_count() or 1
    parts = [rows[first::4 * count] for first in range(min(4 * count, len(rows)))]
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        answers = {row[0]: answer for part, given in zip(parts, pool.map(lambda part: answers_to(program, part), parts))
                   for row, answer in zip(part, given)}
    lines, texts, problems = [], 0, []
    for name, knob_sets, _ in rows:
        if problem := answer_problem(knob_sets, answers[name]):
            problems.append(f"{name}: {problem}")
            continue
        files = {}
        for knobs, hashes in answers[name].items():
            for path, found in hashes.items():
                files.setdefault(path, []).append(f"{knobs} {found}")
                texts += found.count(" ") + 1
        lines.append(name)
        lines += [f"  {path} {hashlib.sha256(chr(10).join(found).encode()).hexdigest()[:12]}" for path, found in sorted(files.items())]
    return lines, texts, problems


def missing_graphs(stored):
    """References without a graph, or with a graph of another text."""
    today = sources()
    for path in sorted(today.keys() | stored.keys()):
        if path not in stored:
            yield f"{path}: has no graph"
        elif path not in today:
            yield f"{path}: is gone, but its graph is still stored"
        elif today[path] != stored[path]:
            yield f"{path}: has changed since its graphs were read"


def frozen_lines():
    try:
        return HASHES.read_text().splitlines()
    except (OSError, ValueError) as why:
        raise SystemExit(f"{HASHES}: cannot be read ({why}): take it from git, or make it by --freeze.") from None


def names_of(lines):
    return [line for line in lines if not line.startswith(("  ", *CONFLICT))]


def unreadable_lines(lines, names):
    """Why hashes.txt cannot be compared: one sentence a line."""
    seen, wanted = set(), set(names)
    for number, line in enumerate(lines, 1):
        place = f"{HASHES.name}:{number}: "
        if line.startswith(CONFLICT):
            yield place + "an unresolved merge conflict. What to do: --freeze with a build of the merged sources"
            return
        if line.startswith("  "):
            if not seen or not re.fullmatch(r"  \S+ [0-9a-f]{12}", line):
                yield place + f"is not a file of a graph with its hash: {line[:60]!r}"
        elif line not in wanted:
            yield place + f"there is no graph «{line[:60]}» in {GRAPHS.name}"
        elif line in seen:
            yield place + f"a second graph «{line}»"
        else:
            seen.add(line)


def by_file(lines):
    hashes, name = {}, ""
    for line in lines:
        if line.startswith("  "):
            path, found = line.split()
            hashes[name, path] = found
        else:
            name = line
    return hashes


def changes(before, after):
    """(graph, file, how it differs)"""
    old, new = by_file(before), by_file(after)
    for key in sorted(old.keys() | new.keys()):
        if old.get(key) != new.get(key):
            yield *key, "is no longer emitted" if key not in new else "is new" if key not in old else "has changed"


def text_call(program, rows, found):
    """The command that prints the first changed file; the knobs are any of its graph's."""
    knob_sets = {name: words for name, words, _ in rows}
    printable = [(name, path) for name, path, what in found if "." in path and name in knob_sets and "no longer emitted" not in what]
    if not printable:
        return f"{pathlib.Path(__file__).name} {program} --text NAME FILE KNOBS"
    name, path = printable[0]
    return (f"{pathlib.Path(__file__).name} {program} --text {shlex.quote(name)} {shlex.quote(path)} {knob_sets[name].split()[0]}"
            f" (or other knobs of {knob_sets[name]})")


def compared(program, rows, lines):
    """Problems: hashes.txt against `lines`."""
    before = frozen_lines()
    if problems := list(unreadable_lines(before, [name for name, _, _ in rows])):
        return problems[:40]
    found = list(changes(before, lines))
    problems = [f"{name}: {path} {what}" for name, path, what in found[:40]]
    if found:
        problems.append(f"{len(found)} of {len(lines)} lines differ from {HASHES.name}. If the texts were meant to change, compare one between both builds:\n"
                        f"  {text_call(program, rows, found)}\nthen run the emulated checks, --freeze and commit both together. If not, the refactoring "
                        "changes emitted texts: find out where.")
    return problems


def dropped_graphs(rows):
    names = {name for name, _, _ in rows}
    for name in names_of(frozen_lines() if HASHES.exists() else []):
        if name not in names:
            yield f"«{name}» is in {HASHES.name}, but there is no such graph any more: if that is intended, --freeze --drop"


def print_text(program, rows, name, path, knobs):
    row = next((row for row in rows if row[0] == name), None)
    if row is None:
        raise SystemExit(f"There is no graph «{name}». Similar: {', '.join(each for each, _, _ in rows if name.split('/')[-1] in each)[:500]}")
    knobs = row[1].split()[0] if knobs is None else knobs
    done = subprocess.run([program, "" if knobs == "plain" else knobs], input=row[2] + "\n", text=True, stdout=subprocess.PIPE, check=True)
    files = json.loads(done.stdout).get("files", {})
    if path not in files:
        raise SystemExit(f"«{name}» has no {path} with the knobs {knobs}. Its knobs: {row[1]}; its files with these: {', '.join(files) or 'none'}")
    print(files[path], end="")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--freeze", action="store_true")
    parser.add_argument("--drop", action="store_true")
    parser.add_argument("--read", action="store_true")
    parser.add_argument("--text", nargs="+", metavar="WORD")
    options = parser.parse_args()
    if options.read:
        read_graphs()
        return 0
    stored, rows = stored_graphs()
    if options.text:
        if len(options.text) not in (2, 3):
            parser.error("--text takes NAME FILE [KNOBS]")
        print_text(options.program, rows, *options.text[:2], options.text[2] if len(options.text) > 2 else None)
        return 0
    problems = list(missing_graphs(stored))
    if problems:
        problems.append(f"What to do: {pathlib.Path(__file__).name} {options.program} --read, with a Python that has torch.")
    lines, texts, faults = hash_lines(options.program, rows)
    problems += faults
    print(f"{len(rows)} graphs, {texts} texts, programs and lists of moves, {len(lines)} lines.")
    if not options.freeze:
        problems += compared(options.program, rows, lines)
    elif not options.drop:
        problems += dropped_graphs(rows)
    if options.freeze and not problems:
        replace_file(HASHES, ("\n".join(lines) + "\n").encode())
    elif options.freeze:
        problems.append(f"{HASHES.name} is unchanged.")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
