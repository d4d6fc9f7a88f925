#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times the tasks of resources/tasks with eager PyTorch: measure.py [--device cuda] [--small] [--budget S] [NAME...]

One line a task: the median of its calls, the estimate of cost.py, the memory that it took, both halves alike. What lies
outside 0.1 to 100 ms is named at the end. This is for choosing sizes, not for records: the judge's clock is another.
--budget: begin no task after so many seconds. Exit code 0: all inside, 1: not all, 77: no torch, or no such device.
"""

import argparse
import pathlib
import statistics
import sys
import time
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import check  # noqa: E402
from torch_python import with_torch  # noqa: E402

WARM_UPS = 3
LEAST_CALLS, MOST_CALLS = 5, 50
SECONDS_A_TASK = 0.5


def milliseconds(call, torch, device):
    """The median over calls. On CUDA by events, so that the host's share counts only where the device waits for it."""
    for _ in range(WARM_UPS):
        call()
    times, begin = [], time.perf_counter()
    while len(times) < LEAST_CALLS or (len(times) < MOST_CALLS and time.perf_counter() - begin < SECONDS_A_TASK):
        if device.type == "cuda":
            before, after = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            before.record()
            call()
            after.record()
            after.synchronize()
            times.append(before.elapsed_time(after))
        else:
            start = time.perf_counter()
            call()
            times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times)


def measure(task, is_small, torch, device):
    """Milliseconds of a call, and megabytes at its peak (CUDA only)."""
    module = task.module(is_small)
    torch.manual_seed(1)
    model = module.Model(*module.get_init_inputs()).eval().to(device)
    with torch.device(device):
        inputs = module.get_inputs()
    inputs = [value.to(device) if isinstance(value, torch.Tensor) else value for value in inputs]
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of a CPU that has no fast way for a model
        took = milliseconds(lambda: model(*inputs), torch, device)
    return took, torch.cuda.max_memory_allocated(device) / 1e6 if device.type == "cuda" else float("nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--small", action="store_true", help="at small size, to see that it runs")
    parser.add_argument("--budget", type=float, default=float("inf"))
    parser.add_argument("--folder", type=pathlib.Path, default=check.ROOT / "resources/tasks")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    with_torch()
    sys.dont_write_bytecode = True
    import torch
    from cost import estimate
    from task_file import all_tasks

    device = torch.device(options.device)
    if device.type == "cuda" and not torch.cuda.is_available():
        print(f"tasks: torch finds no {options.device}. What to do: --device cpu --small.", file=sys.stderr)
        return 77
    if device.type == "cuda":
        torch.cuda.set_device(device)  # events are recorded there
    outside, skipped, begin = [], 0, time.perf_counter()
    for task in all_tasks(options.folder):
        if options.names and task.name not in options.names:
            continue
        if time.perf_counter() - begin > options.budget:
            skipped += 1
            continue
        try:
            took, peak = measure(task, options.small, torch, device)
        except RuntimeError as error:  # torch's out-of-memory error is one too
            outside.append(f"{task.kind}/{task.name}: {str(error).splitlines()[0]}")
            continue
        guess = 1e3 * estimate(task.module(options.small)).seconds
        name = f"{task.kind}/{task.name}"
        print(f"{name:44} {task.split:9} {took:10.4f} ms, estimated {guess:10.4f} ms, {peak:9.1f} MB", flush=True)
        if not options.small and not check.LEAST_MS <= took <= check.MOST_MS:
            outside.append(f"{name}: {took:.4g} ms is not {check.LEAST_MS} to {check.MOST_MS:.0f} ms")
    if skipped:
        outside.append(f"{skipped} tasks were not begun: the budget of {options.budget:.0f} s was spent")
    print("\n".join(outside), end="\n" if outside else "", file=sys.stderr)
    return 1 if outside else 0


if __name__ == "__main__":
    sys.exit(main())
