#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the time of the playbook's candidates goes on a GPU, kernel by kernel:

kernel_times.py write PROGRAM FOLDER LETTERS... [--task NAME]...   where the program is built (playbook_text)
kernel_times.py build FOLDER [--jobs N] [--compile]                on the machine with the GPU
kernel_times.py measure FOLDER OUT [--shard I/N] [--compile] [--bare] [--task NAME]...   tasks that OUT has are passed over
kernel_times.py table FOLDER OUT...
kernel_times.py light FOLDER OUT...

write: the candidates of the train half's tasks at full size, in each tuning (letters of playbook_text.cpp) that gives
other texts. build: all of them, in parallel; --compile fills torch.compile's cache as well. measure: for each task the
device time of eager, of torch.compile with TF32 (--compile), and of each kernel in each `config`; medians of three
calls, each with a cold cache, from torch.profiler; --bare: also of the reference's products alone, in TF32 by cuBLASLt,
and what memory reaches at most, by size too. table: what that says, from one file or more. light: how near the kernels that move much
come to a copy, and the tasks of products to their bare products. This is to find what is slow, not for records: the judge's clock is
another. --references FOLDER: KIND/NAME.py of that folder instead of the train half. Results are compared with eager's: the largest difference, as a share of the largest value.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import itertools
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / folder) for folder in ("tests/playbook", "tests/tasks", "resources/playbook")]
import task_file  # noqa: E402
from candidate_builder import TEMPLATE, Builder  # noqa: E402

CALLS = 3
CONFIGS = range(4)
FLUSH = "bitwise_not"  # the kernel between two calls: it clears the cache, and nothing else has its name
NUMBERS = itertools.count()
L2_BYTES = 256 << 20
LARGE_BYTES = 100e6  # moved by a kernel: twice what the largest cache holds
COPIES = [size * 1_000_000 for size in (100, 125, 150, 200, 250, 300, 400, 500, 700, 1000, 2000)]  # bytes moved
LIBRARY = ("MatrixProduct", "Convolution")
HELPER = re.compile("splitK|reduce|Reduce|nchw|nhwc|Nchw|Nhwc|emset|transpose")


REFERENCES = None  # a folder of others, as --references says

def train_tasks(names):
    for task in task_file.all_tasks(REFERENCES or ROOT / "resources/tasks"):
        if (REFERENCES or task.split == "train") and (not names or task.name in names):
            yield task


def write(options):
    from torch_python import with_torch
    with_torch()
    import check  # of tests/playbook
    import read_reference
    for task in train_tasks(options.task):
        line = check.graph_line(read_reference, task)
        texts = set()
        for letters in options.letters:
            (answer,) = check.answers(options.program, [line], letters)
            text = json.dumps(answer.get("files"))
            if "files" not in answer or text in texts:
                continue
            texts.add(text)
            folder = options.folder / task.name / (letters or "plain")
            for path, content in answer["files"].items():
                if path.endswith(".cpp") and "binding" not in path:
                    continue  # a twin for the CPU
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text(content)
            (folder / "plan.json").write_text(json.dumps(answer["kernels"]))


def candidates(folder):
    return sorted(path.parent for path in folder.glob("*/*/model_new.py"))


def build(options):
    builder = Builder(options.folder)
    binding = options.folder / "binding.cpp"
    binding.write_bytes((TEMPLATE / "binding.cpp").read_bytes())
    for folder in candidates(options.folder):
        (folder / "binding_registry.h").write_bytes((TEMPLATE / "binding_registry.h").read_bytes())
    sources = {hashlib.sha256(path.read_bytes()).digest(): path for folder in candidates(options.folder)
               for path in sorted((folder / "kernels").glob("*.c*"))}
    compiles = []
    if options.compile:
        for task in train_tasks(None):
            if (options.folder / task.name).exists():
                compiles.append([sys.executable, __file__, "warm", str(options.folder), "--task", task.name,
                                 *(["--references", str(REFERENCES)] if REFERENCES else [])])
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as linkers:
        objects = {digest: pool.submit(builder.object, source) for digest, source in [(None, binding), *sources.items()]}
        source_of = {job: sources.get(digest, binding) for digest, job in objects.items()}
        links = {}
        warm = [pool.submit(subprocess.run, command, capture_output=True) for command in compiles]
        # Each is linked as soon as its objects are there: whoever stops this midway has what was built until then.
        waiting = {folder: [objects[None], *[objects[hashlib.sha256(path.read_bytes()).digest()]
                                             for path in sorted((folder / "kernels").glob("*.c*"))]]
                   for folder in candidates(options.folder)}
        for job in concurrent.futures.as_completed(source_of):
            if problem := job.result()[1]:
                print(f"{source_of[job]}: {problem}", flush=True)
            for folder in [folder for folder, jobs in waiting.items() if all(job.done() for job in jobs)]:
                made = [job.result()[0] for job in waiting.pop(folder)]
                links[folder] = None if None in made else linkers.submit(builder.link, folder, made)
        for folder, job in sorted(links.items()):
            if problem := job.result().stderr if job else "it does not compile":
                print(f"{folder.parent.name} {folder.name}: {problem[:500]}", flush=True)
        print(f"{len(sources)} objects; torch.compile failed for {sum(job.result().returncode != 0 for job in warm)}")


class Task:
    def __init__(self, task):
        import torch
        self.module = task.module()
        torch.manual_seed(1)
        self.init = self.module.get_init_inputs()
        self.model = self.module.Model(*self.init).eval().cuda()
        with torch.device("cuda"):
            inputs = self.module.get_inputs()
        self.inputs = [value.cuda() if isinstance(value, torch.Tensor) else value for value in inputs]

    def candidate(self, folder):
        import importlib.util
        for name, path in (("cuda_extension", folder / "cuda_extension.so"), ("model_new", folder / "model_new.py")):
            # pybind11 keeps modules by their full name: the same one again would be the first candidate's.
            spec = importlib.util.spec_from_file_location(f"candidate{next(NUMBERS)}.{name}", path)
            made = importlib.util.module_from_spec(spec)
            sys.modules[name] = made
            spec.loader.exec_module(made)
        new = sys.modules["model_new"].ModelNew(*self.init).eval().cuda()
        new.load_state_dict(self.model.state_dict())
        return new


def compiled(model):
    import torch
    torch._dynamo.reset()
    return torch.compile(model)


def set_tf32(is_on):
    import torch
    torch.backends.cuda.matmul.allow_tf32 = is_on
    torch.backends.cudnn.allow_tf32 = is_on


def warm(options):
    """Fills torch.compile's cache, in a process of its own."""
    import torch
    for task in train_tasks(options.task):
        one = Task(task)
        set_tf32(True)
        with torch.no_grad():
            compiled(one.model)(*one.inputs)
        torch.cuda.synchronize()


def largest_difference(found, expected):
    import torch
    import torch.utils._pytree as pytree
    worst = 0.0
    for mine, other in zip(pytree.tree_leaves(found), pytree.tree_leaves(expected)):
        if not isinstance(other, torch.Tensor):
            continue
        same = (mine == other) | (mine.isnan() & other.isnan())
        gap = torch.where(same, 0, (mine.float() - other.float()).abs())
        size = other.float().abs()
        size = float(size[size.isfinite()].max()) if size.numel() else 1.0
        worst = max(worst, float(gap.max()) / max(size, 1e-30) if gap.numel() else 0.0)
    return worst


def device_times(calls):
    """For each call the kernels that it launched, in order: (name, microseconds), medians of CALLS."""
    import torch
    flush = torch.empty(L2_BYTES, dtype=torch.uint8, device="cuda")
    activities = [torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=activities) as profile:
        for call in calls:
            for _ in range(CALLS):
                torch.bitwise_not(flush, out=flush)
                call()
        torch.cuda.synchronize()
    runs, events = [], [event for event in profile.profiler.kineto_results.events()
                        if event.device_type() == torch.autograd.DeviceType.CUDA and event.duration_ns() > 0]
    for event in sorted(events, key=lambda event: event.start_ns()):
        if FLUSH in event.name():
            runs.append([])
        elif runs:
            runs[-1].append((event.name(), event.duration_ns() / 1e3))
    for first in range(0, len(runs), CALLS):
        same = runs[first:first + CALLS]
        if len({len(run) for run in same}) != 1:
            yield [("of different kernels", statistics.median(sum(t for _, t in run) for run in same))]
            continue
        yield [(kernels[0][0], statistics.median(t for _, t in kernels)) for kernels in zip(*same)]


def bare_products(one):
    """The products that eager launches, each alone, without what goes before and after: calls, for device_times()."""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode
    aten = torch.ops.aten
    places = {aten.mm.default: 0, aten.bmm.default: 0, aten.addmm.default: 1, aten.baddbmm.default: 1}
    operands = []

    class Products(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            if func in places:
                operands.append(args[places[func]:places[func] + 2])
            return func(*args, **(kwargs or {}))

    with Products():
        one.model(*one.inputs)
    return [lambda a=a, b=b: torch.matmul(a, b) for a, b in operands]


def measure_bare(one, name):
    import torch
    set_tf32(True)
    before = torch.backends.cuda.preferred_blas_library()
    torch.backends.cuda.preferred_blas_library("cublaslt")
    try:
        calls = bare_products(one)
        for call in calls:
            call()
        kernels = [("product", sum(microseconds for _, microseconds in launched)) for launched in device_times(calls)]
    finally:
        torch.backends.cuda.preferred_blas_library(before)
        set_tf32(False)
    return [dict(task=name, arm="bare", kernels=kernels)] if kernels else []


def measure_memory():
    """Bytes a second that reading, writing and copying a gigabyte reach, and what copies take by what they move."""
    import torch
    block, other = (torch.zeros(1 << 28, device="cuda") for _ in range(2))
    size = block.numel() * 4
    ways = [(size, lambda: block.sum()), (size, lambda: block.zero_()), (2 * size, lambda: other.copy_(block))]
    parts = [(block[:moved // 8], other[:moved // 8]) for moved in COPIES]
    copies = [lambda source=source, target=target: target.copy_(source) for source, target in parts]
    for call in [*(call for _, call in ways), *copies]:
        call()
    times = [sum(microseconds for _, microseconds in launched)
             for launched in device_times([*(call for _, call in ways), *copies])]
    return dict(task="", arm="memory", kernels=[], copies=dict(zip(map(str, COPIES), times[len(ways):])),
                rates={way: moved / took * 1e6
                       for way, (moved, _), took in zip(("read", "write", "copy"), ways, times)})


def copy_time(memory, moved):
    """Microseconds of a copy that moves as much: between those of the two sizes around it; None: not measured."""
    known = sorted((int(size), took) for size, took in memory.get("copies", {}).items())
    for (less, quick), (more, slow) in itertools.pairwise(known):
        if less <= moved <= more:
            return quick + (slow - quick) * (moved - less) / (more - less)
    return None


def measure_one(task, folder, options):
    import torch
    one = Task(task)
    calls = []

    def arm(model, is_tf32):
        set_tf32(is_tf32)
        found = model(*one.inputs)
        model(*one.inputs)
        calls.append(lambda: model(*one.inputs))
        return found

    expected = arm(one.model, False)
    rows = [dict(task=task.name, arm="eager", kernels=next(device_times(calls)))]
    if options.compile:
        try:
            calls.clear()
            arm(compiled(one.model), True)
            rows.append(dict(task=task.name, arm="compile", kernels=next(device_times(calls))))
        except Exception as problem:
            rows.append(dict(task=task.name, arm="compile", fault=str(problem)[:300]))
    if options.bare:
        rows += measure_bare(one, task.name)
    for place in sorted(path.parent for path in folder.glob("*/model_new.py")):
        try:
            rows += measure_candidate(one, task.name, place, expected)
        except Exception as problem:
            rows.append(dict(task=task.name, arm=place.name, fault=f"{type(problem).__name__}: {str(problem)[:400]}"))
    return rows


def measure_candidate(one, name, place, expected):
    count = len(json.loads((place / "plan.json").read_text()))
    new = one.candidate(place)
    calls, differences = [], []
    for config in CONFIGS:
        def call(config=config):
            for name in ["CONFIG", *[f"CONFIG_{number}" for number in range(1, count + 1)]]:
                setattr(new, name, config)
            return new(*one.inputs)
        differences.append(largest_difference(call(), expected))
        calls.append(call)
    return [dict(task=name, arm=place.name, config=config, kernels=kernels, difference=differences[config])
            for config, kernels in enumerate(device_times(calls))]


def measure(options):
    import torch
    part, parts = map(int, options.shard.split("/"))
    tasks = [task for task in train_tasks(options.task) if (options.folder / task.name).exists()][part - 1::parts]
    done = options.out.read_text() if options.out.exists() else ""
    tasks = [task for task in tasks if f'"task": "{task.name}"' not in done]
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if options.bare and '"arm": "memory"' not in done:
            with options.out.open("a") as out:
                out.write(json.dumps(measure_memory()) + "\n")
        for task in tasks:
            # One that breaks the device's context must not take the others with it.
            try:
                rows = measure_one(task, options.folder / task.name, options)
            except Exception as problem:
                rows = [dict(task=task.name, arm="all", fault=f"{type(problem).__name__}: {str(problem)[:400]}")]
            with options.out.open("a") as out:
                out.writelines(json.dumps(row) + "\n" for row in rows)
            torch.cuda.empty_cache()
            if any("CUDA error" in row.get("fault", "") for row in rows):
                sys.exit(3)  # the context is gone: begin anew with the next task


def by_plan(launched, names):
    """What was launched, by the plan's kernels: ours by name; between them a library's, in order. What is launched for
    a convolution depends on its `config`, and nothing tells two of them apart: the first has the time of all."""
    first = next((name for name in names if name.startswith("Convolution")), None)
    taken = collections.OrderedDict((name, 0.0) for name in names)
    place = 0
    for kernel, microseconds in launched:
        own = next((name for name in names if re.search(rf"\b{name[0].lower() + name[1:]}\b", kernel)), None)
        if own is None:
            # A library may launch several for one call: a helper belongs to the call that it comes before or after.
            calls = [name for name in names[place:] if name.startswith(LIBRARY)]
            own = calls[0] if calls else next((name for name in reversed(names) if name.startswith(LIBRARY)), kernel[:60])
        if own in names and not HELPER.search(kernel):
            place = names.index(own) + 1
        if own.startswith("Convolution"):
            own = first
        taken[own] = taken.get(own, 0.0) + microseconds
    return taken


def total(row):
    return sum(microseconds for _, microseconds in row["kernels"])


def rows_by_task(options):
    by_task = collections.defaultdict(list)
    for path in (options.out, *options.more):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            by_task[row["task"]].append(row)
    return by_task.pop("", []), sorted(by_task.items())


def table(options):
    """For each task all arms, then of each kernel the quickest `config` and the bandwidth that this makes."""
    for name, rows in rows_by_task(options)[1]:
        for row in rows:
            if "fault" in row:
                print(f"{name}  {row['arm']}: {row['fault']}")
        good = [row for row in rows if "fault" not in row]
        fixed = {row["arm"]: total(row) for row in good if "config" not in row}
        print(f"\n{name}  " + ", ".join(f"{arm} {microseconds:.1f} us" for arm, microseconds in fixed.items()))
        for letters in sorted({row["arm"] for row in good if "config" in row}):
            print_candidate(options.folder / name / letters, [row for row in good if row["arm"] == letters], fixed)


def best_kernels(folder, rows):
    """(the plan's kernels, their names in order, of each config the times by name, by name the best time and its config)"""
    plan = json.loads((folder / "plan.json").read_text())
    (binding,) = (folder / "kernels").glob("*_binding.cpp")
    body = binding.read_text().split("\nnamespace {", 1)[1]
    names = re.findall(r"\blaunch(\w+)\(", body)
    taken = [by_plan(row["kernels"], names) for row in rows]
    best = {name: min((times.get(name, 0.0), config) for config, times in enumerate(taken)) for name in taken[0]}
    return plan, names, taken, best


def light(options):
    """Kernels of ours that move much, by the share of what a copy of gigabytes reaches, and of the speed of one that
    moves as much, which has to begin and end as well; then products by their bare ones."""
    of_all, by_task = rows_by_task(options)
    # Writing alone is quicker than either, and hardly any kernel does that.
    ceiling = max(row["rates"][way] for row in of_all for way in ("read", "copy"))
    print("memory: " + ", ".join(f"{way} {rate / 1e12:.2f} TB/s" for way, rate in of_all[0]["rates"].items()))
    kernels, as_many, products = [], [], []
    for task, rows in by_task:
        good = [row for row in rows if "fault" not in row]
        bare = sum(total(row) for row in good if row["arm"] == "bare")
        for letters in sorted({row["arm"] for row in good if "config" in row}):
            plan, names, _, best = best_kernels(options.folder / task / letters,
                                                [row for row in good if row["arm"] == letters])
            for name, kernel in zip(names, plan):
                if kernel["bytes"] >= LARGE_BYTES and not name.startswith((*LIBRARY, "Attention")):
                    share = kernel["bytes"] / (best[name][0] * 1e-6) / ceiling
                    copy = copy_time(of_all[0], kernel["bytes"])
                    line = f"{task} {letters} {name}: {best[name][0]:.1f} us, {kernel['bytes'] / 1e6:.0f} MB"
                    kernels.append((share, line))
                    if copy:
                        as_many.append((copy / best[name][0], f"{line}, copied in {copy:.1f} us"))
            if bare:
                took = sum(microseconds for microseconds, _ in best.values())
                own = sum(best[name][0] for name in names if not name.startswith("MatrixProduct"))
                products.append((bare / took, f"{task} {letters}: {took:.1f} us, {own:.1f} of it beside the products; "
                                              f"bare products {bare:.1f}"))
    for what, lines in (("of what a copy of gigabytes reaches", kernels), ("of a copy of as many bytes", as_many),
                        ("of the bare products' speed", products)):
        print(f"\n{what}: {sum(share >= 0.85 for share, _ in lines)} of {len(lines)} at 0.85 or more, "
              f"{sum(share >= 0.9 for share, _ in lines)} at 0.9 or more")
        for share, line in sorted(lines):
            print(f"  {share:5.2f}  {line}")


def print_candidate(folder, rows, fixed):
    plan, names, taken, best = best_kernels(folder, rows)
    least = sum(microseconds for microseconds, _ in best.values())
    ratios = ", ".join(f"{microseconds / least:.2f}x over {arm}" for arm, microseconds in fixed.items() if least)
    print(f"  {folder.name}: {least:.1f} us ({ratios}); all at config 0 {total(rows[0]):.1f} us; off by "
          f"{max(row['difference'] for row in rows):.2g}")
    for name, kernel in zip(names, plan):
        microseconds, config = best[name]
        rate = kernel["bytes"] / max(microseconds, 1e-3) / 1e6
        others = " ".join(f"{times.get(name, 0.0):.1f}" for times in taken)
        print(f"    {name:22} {microseconds:9.1f} us (config {config}: {others})  {kernel['bytes'] / 1e6:8.1f} MB  {rate:5.2f} TB/s"
              f"  {kernel['operations'] / max(microseconds, 1e-3) / 1e6:7.2f} TFLOP/s")
    for name in best.keys() - set(names):
        print(f"    {name:22} {best[name][0]:9.1f} us")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("write", "build", "warm", "measure", "table", "light"))
    parser.add_argument("rest", nargs="+")
    parser.add_argument("--task", action="append")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--bare", action="store_true")
    parser.add_argument("--shard", default="1/1")
    parser.add_argument("--references", type=pathlib.Path)
    options = parser.parse_args()
    globals()["REFERENCES"] = options.references
    if options.what == "write":
        options.program, folder, *options.letters = options.rest
    else:
        folder, *out = options.rest
        options.out, *options.more = [pathlib.Path(path) for path in out] or [None]
    options.folder = pathlib.Path(folder).resolve()
    globals()[options.what](options)


if __name__ == "__main__":
    main()
