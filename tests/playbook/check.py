#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tries the playbook on resources/tasks:
check.py PROGRAM [--reading | --numbers | --emulated | --rewritten | --odd] [--all] [NAME...]

PROGRAM: playbook_text of the build. --reading: which tasks are read and planned, by family, of both halves: counts
only. --numbers: compiles candidates for the CPU at small size and compares them with the reference in double, with each
set of knobs; NAME...: only these (default: a handful; --all: all planned ones of the train half). --emulated: the same
for the CUDA kernels, on an emulator of blocks and threads, in each config; the CPU twin stands in for library calls.
--rewritten: tasks written in other words get the same program. --odd: odd references, and convolutions in both layouts,
pass or are refused with a reason, within a minute each. Of what passed before a seventh runs again: result_cache.py.
Exit code 0: fine, 1: complaints, 77: no Python with torch was found."""

import argparse
import collections
import copy
import ctypes.util
import functools
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/tasks"), str(ROOT / "resources/playbook"), str(pathlib.Path(__file__).parent)]
from handfuls import (  # noqa: E402
    ATTENTION_HANDFUL, ATTENTION_KNOB_SETS, CELL_HANDFUL, COMPLEX_HANDFUL, CONVOLUTION_HANDFUL, CONVOLUTION_KNOB_SETS,
    CUDA_HANDFUL, CUDA_KNOB_SETS, FUNCTIONS_HANDFUL, HANDFUL, KNOB_SETS, MATMUL_CONFIGS, MATMUL_HANDFUL,
    MATMUL_KNOB_SETS, RECURRENCE_HANDFUL, SAMPLED_HANDFUL, SORTED_HANDFUL)
import golden  # noqa: E402
from result_cache import ResultCache  # noqa: E402
from torch_python import with_torch  # noqa: E402

# Waiting threads yield their core to other checks. Read when torch is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

CONFIGS = range(4)
MIN_READ, MIN_PLANNED = 253, 253  # of 255 tasks; on 2026-11-24 255 and 255; fewer is a step back
# The allowed error is the reference's own, float against double, times this; the judge allows about 8.
TIMES_OWN_ERROR = 8


@functools.cache
def graph_cache():
    from graph_cache import GraphCache

    return GraphCache([*(ROOT / "resources/playbook").glob("*.py"), ROOT / "toolchain/referee/worker/warpwright_models.py",
                       ROOT / "toolchain/referee/worker/warpwright_files.py",
                       ROOT / "tests/tasks/task_file.py", pathlib.Path(__file__)])


def graph_line(read, task, is_small=False):
    """The graph of a task or row, at full size or small, as read_reference.py prints it."""
    def read_graph():
        module = task.module(is_small)
        return json.dumps(read.answer_for(lambda: module))
    return graph_cache().line(f"{task.name}\0{is_small}\0{task.text}", read_graph)


def answers(program, lines, letters=""):
    done = subprocess.run([program, letters], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def family(answer):
    names = {kernel["family"] for kernel in answer["kernels"]}
    return next(iter(names)) if len(names) == 1 else "mixed"


def collapsing():
    """Names of tasks whose work shrinks by algebra."""
    lines = (ROOT / "resources/tasks/collapsing.txt").read_text().splitlines()
    return {line.split(":")[0] for line in lines if line and not line.startswith("#")}


def check_reading(program, read, tasks):
    shrinking = collapsing()
    lines = [graph_line(read, task) for task in tasks]
    yield from golden.changed_graphs(tasks, lines)
    by_kind = collections.defaultdict(collections.Counter)
    reasons = collections.Counter()
    for task, line, answer in zip(tasks, lines, answers(program, lines)):
        if "fault" in answer:
            yield f"{task.name}: {answer['fault']}"
            continue
        counts = by_kind[task.kind]
        counts["tasks"] += 1
        graph = json.loads(line)
        counts["read"] += "cannot" not in graph
        if task.name in shrinking and not graph.get("notes"):
            yield f"{task.name} collapses, and the reader computes all of it"
        if "cannot" in answer:
            reasons[answer["cannot"].split(" (")[0][:90]] += task.split == "train"
        else:
            counts[family(answer)] += 1
    heads = ("tasks", "read", "pointwise", "rows", "columns", "windows", "scan", "product",
             "convolution", "mixed")
    print(f"{'kind':12}" + "".join(f"{head:>12}" for head in heads))
    whole = sum(by_kind.values(), collections.Counter())
    for kind, counts in [*sorted(by_kind.items()), ("all", whole)]:
        print(f"{kind:12}" + "".join(f"{counts[head]:12}" for head in heads))
    print("\nwhy not, of the train half:")
    for reason, count in reasons.most_common(12):
        if count:
            print(f"{count:5}  {reason}")
    planned = sum(whole[head] for head in heads[2:])
    if whole["read"] < MIN_READ:
        yield f"{whole['read']} tasks are read, fewer than {MIN_READ}"
    if planned < MIN_PLANNED:
        yield f"{planned} tasks are planned, fewer than {MIN_PLANNED}"


class Builder:
    """Compiles candidates for the CPU as the judge does, and the fixed binding once."""

    def __init__(self, folder, is_emulated=False, part="1/1"):
        import sysconfig
        import torch
        from object_cache import compiler, flags_for_halves, quick_linker

        self.is_emulated = is_emulated
        self.part, self.parts = map(int, part.split("/"))
        self.offered = 0
        self.folder = pathlib.Path(folder)
        self.compiler = compiler(self.folder)
        include = pathlib.Path(torch.__file__).parent / "include"
        self.flags = ["-std=c++17", "-O3", "-fPIC", "-fpch-preprocess", "-march=native", "-fno-code-hoisting", "-fopenmp", "-DWARPWRIGHT_CPU",
                      "-DTORCH_EXTENSION_NAME=cuda_extension", "-DTORCH_API_INCLUDE_EXTENSION_H", "-Wall", "-Wextra",
                      f"-D_GLIBCXX_USE_CXX11_ABI={int(torch._C._GLIBCXX_USE_CXX11_ABI)}", "-isystem", str(include),
                      "-isystem", str(include / "torch/csrc/api/include"), "-isystem", sysconfig.get_paths()["include"]]
        if is_emulated:  # the twins are not under test
            self.flags[self.flags.index("-O3")] = "-O1"
        self.libraries = pathlib.Path(torch.__file__).parent / "lib"
        # As the judge links it: without its header matmuls are loops of ours.
        self.blas = ["-lopenblas"] if ctypes.util.find_library("openblas") else []
        self.linker = quick_linker()
        template = ROOT / "resources/templates/workspace"
        for name in ("binding.cpp", "binding_registry.h"):
            (self.folder / name).write_bytes((template / name).read_bytes())
        self.fixed = [self.compiled(self.folder / "binding.cpp")]
        # A precompiled header for what every candidate includes.
        self.registry = self.precompiled(self.folder / "binding_registry.h", self.flags)
        self.emulation = ["-std=c++20", "-O1", "-fPIC", "-fpch-preprocess", "-I", str(self.folder / "emulation"), *flags_for_halves()]
        if is_emulated:
            header = "tests/playbook/emulator/emulator.h"
            path = self.folder / "emulation" / (header + ".gch")
            shutil.copytree((ROOT / header).parent, path.parent)
            self.precompiled(self.folder / "emulation" / header, self.emulation).rename(path)
            memory = self.folder / "guarded_memory.cpp"
            memory.write_bytes((ROOT / "tests/playbook/emulator" / memory.name).read_bytes())
            self.fixed.append(self.compiled(memory))
        self.passes = ResultCache([*self.flags, *self.emulation[:4], *self.emulation[6:], *self.blas],
                                 [template / name for name in ("binding.cpp", "binding_registry.h")])

    def precompiled(self, header, flags):
        result = self.folder / (header.name + ".gch")
        subprocess.run([*self.compiler, *flags, "-x", "c++-header", str(header), "-o", str(result)], check=True,
                       capture_output=True, cwd=self.folder)
        return result

    def compiled(self, source):
        target = source.with_suffix(".o")
        # The fixed binding needs no vector code.
        flags = ["-O0" if flag in ("-O3", "-O1") and source.name == "binding.cpp" else flag for flag in self.flags]
        done = subprocess.run([*self.compiler, *flags, "-c", str(source), "-o", str(target)], capture_output=True, text=True,
                              cwd=self.folder)
        if done.returncode:
            raise RuntimeError(done.stderr[:2000])
        if done.stderr and source.name != "binding.cpp":
            raise RuntimeError("it compiles with warnings:\n" + done.stderr[:2000])
        return target

    def emulated(self, source):
        """The object of an emulated CUDA kernel; of the CPU twin, if the kernel calls a library."""
        import cuda_to_cpp

        text = source.with_suffix(".cu").read_text() if source.with_suffix(".cu").exists() else None
        if text is None or not cuda_to_cpp.calls_no_library(text):
            return self.compiled(source)
        result, target = source.with_suffix(".cc"), source.with_suffix(".o")
        result.write_text(cuda_to_cpp.as_cpp(text))
        done = subprocess.run([*self.compiler, *self.emulation, "-c", str(result), "-o", str(target)], capture_output=True,
                              text=True, cwd=self.folder)
        if done.returncode:
            raise RuntimeError(done.stderr[:2000])
        return target

    def module(self, name, files):
        folder = self.folder / name
        for path, text in files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        (folder / "binding_registry.h").write_bytes((self.folder / "binding_registry.h").read_bytes())
        (folder / "binding_registry.h.gch").symlink_to(self.registry)
        make = self.emulated if self.is_emulated else self.compiled
        objects = [str(make(source)) for source in sorted(folder.glob("kernels/*.cpp"))]
        library = folder / "cuda_extension.so"
        subprocess.run(["g++", "-shared", "-fopenmp", *self.linker, *map(str, self.fixed), *objects, "-o", str(library), f"-L{self.libraries}",
                        "-lc10", "-ltorch", "-ltorch_cpu", "-ltorch_python", f"-Wl,-rpath,{self.libraries}", *self.blas],
                       check=True)
        for module, path in (("cuda_extension", library), ("model_new", folder / "model_new.py")):
            spec = importlib.util.spec_from_file_location(module, path)
            result = importlib.util.module_from_spec(spec)
            sys.modules[module] = result
            spec.loader.exec_module(result)
        return sys.modules["model_new"]

    def is_mine(self):
        """Whether the next candidate belongs to the requested part."""
        self.offered += 1
        return self.offered % self.parts == self.part % self.parts


def difference(actual, expected):
    """The largest difference, relative to the largest expected value; infinite where NaN or infinity differ."""
    import torch

    if actual.is_complex():
        actual, expected = (torch.view_as_real(each.resolve_conj()) for each in (actual, expected))
    actual, expected = actual.double(), expected.double()
    same = (actual == expected) | (actual.isnan() & expected.isnan())
    gap = torch.where(same, torch.zeros_like(expected), (actual - expected).abs())
    if not bool(gap.isfinite().all()):
        return float("inf")
    size = expected.abs()[expected.isfinite()]
    return float(gap.max()) / max(float(size.max()) if size.numel() else 1.0, 1e-30)


def double_of(value):
    import torch

    if not isinstance(value, torch.Tensor):
        return value
    return value.double() if value.is_floating_point() else value.to(torch.complex128) if value.is_complex() else value


def compare(task, module, candidate, is_tf32=False):
    import torch
    import torch.utils._pytree as pytree

    torch.manual_seed(1)
    init = module.get_init_inputs()
    model = module.Model(*init).eval()
    inputs = module.get_inputs()
    new = candidate.ModelNew(*init).eval()
    new.load_state_dict(model.state_dict())
    with torch.no_grad():
        wide = copy.deepcopy(model)._apply(double_of)
        truth = pytree.tree_leaves(wide(*[double_of(value) for value in inputs]))
        own = pytree.tree_leaves(model(*inputs))
        found = pytree.tree_leaves(new(*inputs))
    if len(found) != len(own):
        yield f"{task.name}: {len(found)} results instead of {len(own)}"
    for number, (mine, eager, exact) in enumerate(zip(found, own, truth)):
        if mine.dtype != eager.dtype or mine.shape != eager.shape:
            yield f"{task.name}: result {number} is {mine.dtype} {tuple(mine.shape)}, not {eager.dtype} {tuple(eager.shape)}"
            continue
        floor = {torch.float16: 2e-3, torch.bfloat16: 1.6e-2}.get(mine.dtype, 4e-3 if is_tf32 else 2e-6)
        allowed = max(TIMES_OWN_ERROR * difference(eager, exact), floor)
        if not difference(mine, exact) <= allowed:
            yield (f"{task.name}: result {number} is off by {difference(mine, exact):.3g}, and {allowed:.3g} is allowed "
                   f"(the reference itself: {difference(eager, exact):.3g})")


def cached_trial(builder, task, letters, answer, configs=CONFIGS):
    """The problems of trial(), unless the same candidate passed before."""
    path = builder.passes.path(task.text, letters, str(list(configs)), json.dumps(answer["files"], sort_keys=True))
    if builder.passes.is_cached(path) or builder.passes.is_late():
        return []
    path.unlink(missing_ok=True)  # a failure now removes an earlier pass
    problems = in_subprocess(lambda: trial(builder, task, letters, answer, configs))
    if not problems:
        path.touch()
    return problems


def trial(builder, task, letters, answer, configs=CONFIGS):
    try:
        result = builder.module(f"{task.name}-{letters}", answer["files"])
        if not builder.is_emulated:
            return list(compare(task, task.module(is_small=True), result))
        problems = []
        for config in configs:
            os.environ["EMULATED_CONFIG"] = str(config)
            problems += [f"{problem} [config {config}]" for problem in compare(task, task.module(is_small=True), result, "t" in letters)]
        return problems
    except Exception as problem:
        return [f"{task.name}: {type(problem).__name__}: {problem}"]


def in_subprocess(work):
    """The result of `work`, from a process of its own: a process loads one module of a name, and a kernel may crash it."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "w") as out:
            json.dump(work(), out)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        text = answer.read()
    _, status = os.waitpid(child, 0)
    return json.loads(text) if status == 0 else [f"its process ended with status {status}"]


PLAN_LETTERS = "ca"  # a program that these do not change is tried without them


def check_numbers(program, read, builder, tasks, knob_sets, are_planned=False, configs=CONFIGS, unit=""):
    """`unit`: text that one of a candidate's files must contain, else another template was chosen."""
    lines = [graph_line(read, task, is_small=True) for task in tasks]
    count = 0
    for letters in knob_sets:
        usual = answers(program, lines, letters.translate({ord(letter): None for letter in PLAN_LETTERS}))
        for task, answer, other in zip(tasks, answers(program, lines, letters), usual):
            is_other_plan = any(letter in letters for letter in PLAN_LETTERS)
            if are_planned and "cannot" in answer:
                yield f"{task.name} is not planned: {answer['cannot']}"
            if "cannot" in answer or (is_other_plan and answer["signature"] == other["signature"]):
                continue
            if not any(unit in text for text in answer["files"].values()):
                yield f"{task.name}: no text has «{unit}» [knobs «{letters}»]"
            if not builder.is_mine():
                continue
            for problem in cached_trial(builder, task, letters, answer, configs):
                yield f"{task.name}: {problem.removeprefix(task.name + ': ')} [knobs «{letters}»]"
            count += 1
    print(f"{count} candidates; so far {builder.passes.known} of all passed in an earlier run, {builder.passes.untried} were NOT TRIED, the rest were compiled and compared.")


def check_all_numbers(program, read, builder, tasks, options):
    from attentions import ROWS as ATTENTIONS
    from complex_numbers import ROWS as COMPLEX
    from convolutions import ROWS as CONVOLUTIONS
    from functions import ROWS as FUNCTIONS
    from long_sums import ROWS as LONG_SUMS, SHORTER as SHORTER_SUMS
    from products import BY_NAME, ROWS as MATMUL_ROWS, SUMMED
    from recurrences import LONG, ROWS as RECURRENCES, CELL_MATMULS
    from rows import ROWS
    from sorted_rows import ROWS as SORTED
    from sampled import SAMPLED
    from slices import ROWS as SLICES

    is_emulated = builder.is_emulated

    def odd(rows, usual):
        return [OddTask(name, text) for name, text in rows if options.all or name in (options.names or usual)]

    def knob_sets(usual):
        return usual if options.tuning is None else (options.tuning,)

    wanted = options.names or (CUDA_HANDFUL if is_emulated else HANDFUL)
    chosen = [task for task in tasks if task.split == "train" and (options.all or task.name in wanted)]
    if is_emulated:
        chosen += odd(ROWS, dict(ROWS))
    usual = CUDA_KNOB_SETS if is_emulated else KNOB_SETS
    yield from check_numbers(program, read, builder, chosen, knob_sets(usual))
    yield from check_numbers(program, read, builder, odd(ATTENTIONS, ATTENTION_HANDFUL), knob_sets(ATTENTION_KNOB_SETS[is_emulated]))
    yield from check_numbers(program, read, builder, odd(FUNCTIONS, FUNCTIONS_HANDFUL if is_emulated else dict(FUNCTIONS)),
                             knob_sets(usual[:2][-1:]), are_planned=True)
    yield from check_numbers(program, read, builder, odd(SORTED, SORTED_HANDFUL if is_emulated else dict(SORTED)), knob_sets(usual[:2][-1:]),
                             are_planned=True, unit="compareExchange")
    yield from check_numbers(program, read, builder, odd(COMPLEX, COMPLEX_HANDFUL if is_emulated else dict(COMPLEX)), knob_sets(usual[:2][-1:]),
                             are_planned=True)
    long_sums = SHORTER_SUMS if is_emulated else LONG_SUMS
    yield from check_numbers(program, read, builder, odd(long_sums, dict(long_sums)), knob_sets(usual[:2][-1:]), are_planned=True,
                             configs=MATMUL_CONFIGS)
    yield from check_numbers(program, read, builder, odd(SLICES, dict(SLICES)), knob_sets(usual[:2][-1:]), are_planned=True)
    # Triangular matmuls must fill a device, and go to a library.
    yield from check_numbers(program, read, builder, odd(FUNCTIONS, MATMUL_HANDFUL if is_emulated else (*MATMUL_HANDFUL, "triangular_products")),
                             knob_sets(MATMUL_KNOB_SETS[is_emulated]), configs=MATMUL_CONFIGS)
    if is_emulated:
        yield from check_numbers(program, read, builder, odd(MATMUL_ROWS, dict(MATMUL_ROWS).keys() - BY_NAME), knob_sets(MATMUL_KNOB_SETS[1]),
                                 configs=MATMUL_CONFIGS, unit="wgmma")
    yield from check_numbers(program, read, builder, odd(SUMMED, dict(SUMMED)), knob_sets(MATMUL_KNOB_SETS[is_emulated]),
                             are_planned=True, configs=MATMUL_CONFIGS, unit="kInner2")
    yield from check_numbers(program, read, builder, odd(CONVOLUTIONS, CONVOLUTION_HANDFUL), knob_sets(CONVOLUTION_KNOB_SETS[is_emulated]),
                             are_planned=True, configs=MATMUL_CONFIGS, unit="im2col" if is_emulated else "")
    for name, letters, word, text in SAMPLED:
        if sampled := odd([(name, text)], SAMPLED_HANDFUL):
            yield from check_numbers(program, read, builder, sampled, knob_sets((letters if is_emulated else "vk" + letters[3:],)),
                                     unit=word if is_emulated else "")
    yield from check_numbers(program, read, builder, odd(RECURRENCES if is_emulated else RECURRENCES + LONG, (*RECURRENCE_HANDFUL, *dict(LONG))),
                             knob_sets(usual[:1]), are_planned=True)
    yield from check_numbers(program, read, builder, odd(CELL_MATMULS, CELL_HANDFUL), knob_sets(("wobtp",) if is_emulated else ("vkp",)),
                             are_planned=True, unit="mma.sync")


def check_rewritten(program, read):
    from rewritten import PAIRS

    for name, task, text in PAIRS:
        lines = [graph_line(read, each) for each in (task_of(task), OddTask(name, text))]
        first, second = answers(program, lines)
        if "signature" not in first or first.get("signature") != second.get("signature"):
            yield f"{name} gets another plan than {task}:\n  {first.get('signature', first)}\n  {second.get('signature', second)}"
    print(f"{len(PAIRS)} rewritten tasks were compared.")


class OddTask:
    def __init__(self, name, text):
        self.name, self.text = name, text

    def module(self, is_small=False):
        import types

        module = types.ModuleType(self.name)
        exec(compile(self.text, "model.py", "exec"), module.__dict__)
        return module


def check_odd(program, read, wanted):
    import time

    from complex_numbers import wrongly_read
    from images import IMAGES
    from odd import ODD
    from recurrences import slowly_read
    # In a subprocess: once torch has threads here, forked children would wait for them for ever.
    yield from in_subprocess(lambda: [*slowly_read(read, OddTask), *wrongly_read(read, OddTask)])
    count = passed = others = 0
    with tempfile.TemporaryDirectory(prefix="playbook-") as folder:
        builder = Builder(folder)
        for name, refusal, text in ODD + IMAGES:
            if wanted and name not in wanted:
                continue
            count += 1
            began, minutes = time.monotonic(), 1
            task = OddTask(name, text)
            line = graph_line(read, task)
            answer, last = (answers(program, [line], letters)[0] for letters in ("", "c"))
            why = answer.get("cannot", answer.get("fault"))
            if why is None:
                answer["files"] = dict(answer["files"])
                yield from cached_trial(builder, task, "plain", answer)
                if last["signature"] != answer["signature"]:
                    minutes = 2
                    yield from cached_trial(builder, task, "channels-last", last)
                    others += 1
                passed += 1
                if refusal:
                    yield f"{name}: it was not refused, though «{refusal}» was expected"
            elif refusal is None or refusal not in why:
                yield f"{name}: refused: {why}"
            if time.monotonic() - began > 60 * minutes:
                yield f"{name}: it took {time.monotonic() - began:.0f} s"
    print(f"{passed} of {count} odd references passed, {others} with channels last as well; the others were refused.")


def task_of(name):
    from task_file import TaskFile

    return TaskFile(next((ROOT / "resources/tasks").glob(f"*/{name}.py")))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--reading", action="store_true")
    parser.add_argument("--numbers", action="store_true")
    parser.add_argument("--emulated", action="store_true")
    parser.add_argument("--rewritten", action="store_true")
    parser.add_argument("--odd", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--part", default="1/1", help="of --numbers and --emulated: I/N, every Nth candidate")
    parser.add_argument("--tuning", help="only this set of knobs, in playbook_text's letters")
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args()
    with_torch()
    import read_reference
    from name_collisions import EXTRA_ROWS, check_name_collisions
    from task_file import all_tasks

    tasks = all_tasks(ROOT / "resources/tasks")
    problems = []
    if options.reading:
        problems += check_reading(options.program, read_reference, tasks)
    for is_emulated in (False, True):
        if options.emulated if is_emulated else options.numbers:
            with tempfile.TemporaryDirectory(prefix="playbook-") as folder:
                problems += check_all_numbers(options.program, read_reference, Builder(folder, is_emulated, options.part), tasks, options)
    if options.rewritten:
        problems += check_rewritten(options.program, read_reference)
        lines = [graph_line(read_reference, task) for task in [*(one for one in tasks if one.split == "train"), *(OddTask(*row) for row in EXTRA_ROWS)]]
        problems += check_name_collisions(answers, options.program, lines, "wobrtap")
    if options.odd:
        problems += check_odd(options.program, read_reference, options.names)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
