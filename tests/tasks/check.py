#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the tasks of resources/tasks: check.py [--table | --json] [--full] [--folder DIR] [NAME...]

Each task by itself: its form, a run at small size on the CPU, its estimated cost on an H200. The set as a whole: its
size, its halves, its mixture, and that no two tasks differ only in shape. NAME...: only these, without the whole.
Times are ESTIMATES from bytes and FLOPs (cost.py says how); nothing here is measured on a GPU.
Exit code 0: fine, 1: complaints, 77: no Python with torch was found (an error where REQUIRE_TOOLS=1).
"""

import argparse
import collections
import json
import pathlib
import sys

from torch_python import with_torch

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEAST_TASKS = 120
LEAST_MS, MOST_MS = 0.1, 100.0
MOST_BYTES = 24e9
MOST_ORACLE_BYTES = 48e9  # of the same in double, which the judge compares with
LEAST_MATRIX_SHARE = 0.40
LEAST_MATRIX_TIME = 0.1  # of a task's own time, to count as one with a GEMM, a convolution or attention
MOST_COLLAPSING_SHARE = 0.05
LEAST_HALF_SHARE = 0.40
LEAST_OF_KIND = 2  # in each half
HALVES = ("train", "held-out")
KINDS = ("pointwise", "reduction", "norm", "loss", "scan", "pooling", "gather", "matvec", "gemm", "convolution",
         "attention", "recurrent", "block")


def collapsing(folder):
    """Tasks whose work shrinks by algebra, and why: lines «name: why» of collapsing.txt."""
    lines = (folder / "collapsing.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines if line and not line.startswith("#"))


def check_one(task, is_small=True):
    """Its facts and its complaints."""
    from cost import estimate
    from trial import Trial

    problems = list(task.form_problems())
    if problems:
        return None, problems
    try:
        problems += Trial(task, is_small).problems()
        cost = estimate(task.module())
        oracle = estimate(task.module(), is_double=True)
    except Exception as error:
        return None, [*problems, f"{type(error).__name__}: {error}"]
    ms = 1e3 * cost.seconds
    if not LEAST_MS <= ms <= MOST_MS:
        problems.append(f"eager would take about {ms:.3g} ms (an estimate), not {LEAST_MS} to {MOST_MS:.0f}")
    if cost.peak > MOST_BYTES:
        problems.append(f"it needs about {cost.peak / 1e9:.1f} GB, more than {MOST_BYTES / 1e9:.0f}")
    if oracle.peak > MOST_ORACLE_BYTES:
        problems.append(f"in double, as the judge's oracle, it needs about {oracle.peak / 1e9:.1f} GB, "
                        f"more than {MOST_ORACLE_BYTES / 1e9:.0f}")
    facts = {
        "name": task.name, "kind": task.kind, "split": task.split, "title": " ".join(task.title.split()),
        "estimatedEagerMs": round(ms, 3), "gigaflops": round(cost.flops / 1e9, 2),
        "inputMb": round(cost.input_bytes / 1e6, 1), "parameterMb": round(cost.state_bytes / 1e6, 1),
        "trafficMb": round(cost.traffic / 1e6, 1), "peakMb": round(cost.peak / 1e6, 1), "operators": cost.operators,
        "hasMatrix": task.kind != "matvec" and cost.matrix_seconds > LEAST_MATRIX_TIME * cost.seconds,
        "dtypes": cost.dtypes, "signature": tuple(cost.signature),
    }
    return facts, problems


def check_set(facts, shrinking):
    """Complaints about the set as a whole."""
    count = len(facts)
    if count < LEAST_TASKS:
        yield f"there are {count} tasks, fewer than {LEAST_TASKS}"
    share = sum(fact["hasMatrix"] for fact in facts) / max(count, 1)
    if share < LEAST_MATRIX_SHARE:
        yield f"{share:.0%} of the tasks have a GEMM, a convolution or attention, fewer than {LEAST_MATRIX_SHARE:.0%}"
    names = [fact["name"] for fact in facts]
    for name, times in collections.Counter(names).items():
        if times > 1:
            yield f"{name}: {times} tasks have this name"
    for name in shrinking:
        if name not in names:
            yield f"collapsing.txt names {name}, which is no task"
    if len(shrinking) > MOST_COLLAPSING_SHARE * count:
        yield f"{len(shrinking)} of {count} tasks collapse by algebra, more than {MOST_COLLAPSING_SHARE:.0%}"
    for half in HALVES:
        mine = [fact for fact in facts if fact["split"] == half]
        if len(mine) < LEAST_HALF_SHARE * count:
            yield f"the half «{half}» has {len(mine)} of {count} tasks, fewer than {LEAST_HALF_SHARE:.0%}"
        kinds = collections.Counter(fact["kind"] for fact in mine)
        for kind in KINDS:
            if kinds[kind] < LEAST_OF_KIND:
                yield f"the half «{half}» has {kinds[kind]} of kind {kind}, fewer than {LEAST_OF_KIND}"
    for kind in {fact["kind"] for fact in facts} - set(KINDS):
        yield f"{kind} is no kind of task: {', '.join(KINDS)}"


def sample_facts(folder):
    """What the samples do: who was taught by one knows its answer."""
    from cost import estimate
    from task_file import TaskFile

    paths = [path for path in sorted(folder.glob("*/model.py")) if not path.parent.name.startswith("broken")]
    return [{"name": f"the sample {path.parent.name}", "signature": tuple(estimate(TaskFile(path).module()).signature)}
            for path in paths]


def twins(facts):
    same = collections.defaultdict(list)
    for fact in facts:
        same[fact["signature"]].append(fact["name"])
    for names in same.values():
        if len(names) > 1:
            yield f"{', '.join(names)} do the same operators with the same parameters: they differ only in shape"


def table(facts):
    heads = ("ms est.", "GFLOP", "input MB", "param. MB", "moved MB", "peak MB", "operators")
    keys = ("estimatedEagerMs", "gigaflops", "inputMb", "parameterMb", "trafficMb", "peakMb", "operators")
    print(f"{'task':44} {'half':9}" + "".join(f"{head:>11}" for head in heads) + "  dtypes")
    for fact in facts:
        numbers = "".join(f"{fact[key]:11}" for key in keys)
        kinds = " ".join(fact["dtypes"]) + (" *" if fact["hasMatrix"] else "")
        print(f"{fact['kind'] + '/' + fact['name']:44} {fact['split']:9}{numbers}  {kinds}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", action="store_true", help="a line for each; * has a GEMM, convolution or attention")
    parser.add_argument("--json", action="store_true", help="the index of the set")
    parser.add_argument("--full", action="store_true", help="try them at full size too: slow, and takes memory")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "resources/tasks")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    with_torch()
    sys.dont_write_bytecode = True  # sources may be read-only, and the package takes folders as they are
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
    import torch
    from task_file import all_tasks

    torch.set_num_threads(1)  # other tests run beside this one
    tasks = [task for task in all_tasks(options.folder) if not options.names or task.name in options.names]
    found = {task.name for task in tasks}
    facts, complaints = [], [f"{name}: there is no such task" for name in options.names if name not in found]
    for task in tasks:
        fact, problems = check_one(task, not options.full)
        complaints += [f"{task.kind}/{task.name}: {problem}" for problem in problems]
        if fact:
            facts.append(fact)
    shrinking = collapsing(options.folder)
    if not options.names:
        complaints += check_set(facts, shrinking)
        complaints += twins(facts + sample_facts(ROOT / "resources/samples"))
    if options.json:
        shown = [{key: value for key, value in fact.items() if key != "signature"} for fact in facts]
        print(json.dumps([{**fact, "collapses": shrinking.get(fact["name"])} for fact in shown], indent=1))
    elif options.table:
        table(facts)
    print("\n".join(complaints), end="\n" if complaints else "", file=sys.stderr)
    halves = collections.Counter(fact["split"] for fact in facts)
    matrix = sum(fact["hasMatrix"] for fact in facts)
    print(f"tasks: {len(facts)} ({halves['train']} train, {halves['held-out']} held out), {matrix} with GEMM, "
          f"convolution or attention, {len(complaints)} complaints. Times are estimates, not measured.",
          file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
