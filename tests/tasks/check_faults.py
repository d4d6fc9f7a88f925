#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows the checker of tasks one fault after the other, to see that it can complain: check_faults.py

Each row changes one place of a good task. Exit code 0: every fault was named and the good task was not.
"""

import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import check  # noqa: E402
from torch_python import with_torch  # noqa: E402

GOOD = '''# SPDX-License-Identifier: GPL-3.0-or-later
"""A layer with bias and tanh, as in the middle of many a small network."""

import torch
from torch import nn

ROWS = 4000
WIDTH = 2000
SMALL = {"ROWS": 5, "WIDTH": 9}


class Model(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.tanh(self.linear(x))


def get_inputs():
    return [torch.randn(ROWS, WIDTH)]


def get_init_inputs():
    return [WIDTH]
'''

RESULT = "return torch.tanh(self.linear(x))"
# What it is, what is replaced, by what, a part of the complaint.
ROWS = (
    ("no licence", "# SPDX-License-Identifier: GPL-3.0-or-later\n", "# ours\n", "its first line is not"),
    ("no description", "A layer with bias and tanh, as in the middle of many a small network.", "A.", "docstring"),
    ("a long line", RESULT, RESULT + "  # " + 120 * "a", "more than 120 characters"),
    ("no small size", 'SMALL = {"ROWS": 5, "WIDTH": 9}\n', "", "it has no SMALL"),
    ("a small size of nothing", '"WIDTH": 9', '"WIDTH": 9, "DEPTH": 3', "DEPTH, which is no constant"),
    ("no inputs", "def get_inputs", "def inputs", "defines no get_inputs"),
    ("too little work", "ROWS = 4000", "ROWS = 4", "eager would take about"),
    ("too much work", "ROWS = 4000", "ROWS = 4_000_000", "eager would take about"),
    ("too much memory", "ROWS = 4000", "ROWS = 2_000_000", "GB, more than 24"),
    ("too much memory in double", "ROWS = 4000", "ROWS = 1_200_000", "as the judge's oracle"),
    ("it raises", RESULT, "return torch.tanh(self.linear(x.t()))", "RuntimeError"),
    ("not finite", RESULT, "return torch.log(self.linear(x))", "not finite"),
    ("nearly constant", RESULT, "return 1.0 + 1e-3 * torch.tanh(self.linear(x))", "nearly constant"),
    ("constant inputs", "torch.randn(ROWS, WIDTH)", "torch.ones(ROWS, WIDTH)",
     "with other inputs its result moves by"),
    ("an unused input", "[torch.randn(ROWS, WIDTH)]", "[torch.randn(ROWS, WIDTH), torch.randn(3)]",
     "with another input 1"),
    ("an unused parameter", RESULT, "return torch.tanh(x @ self.linear.weight)", "with another linear.bias"),
    ("chance", RESULT, "return torch.tanh(self.linear(x)) + torch.rand(1)", "a second call with the same inputs"),
    ("writes its input", RESULT, "return self.linear(x.tanh_())", "writes into its inputs"),
    ("a fixed dtype", RESULT, "return torch.tanh(self.linear(x)).to(torch.float32)",
     "when the model and its inputs are double"),
    ("a float of its own", RESULT, "return self.linear(x) @ torch.ones(x.shape[1], 2)", "the oracle cannot run it"),
)


def complaints(folder, text, name="good"):
    from task_file import TaskFile

    path = pathlib.Path(folder) / "gemm" / f"{name}.py"
    path.parent.mkdir(exist_ok=True)
    # The unused input has to be taken by forward.
    path.write_text(text.replace("x: torch.Tensor)", "x, *more)") if "randn(3)" in text else text, encoding="utf-8")
    return check.check_one(TaskFile(path))


def set_faults(fact):
    """Complaints about a set, each with what has to be in them."""
    twin = {**fact, "name": "twin"}
    few = list(check.check_set([fact], {"gone": "why"}))
    plain = [{**fact, "name": f"task{number}", "hasMatrix": False} for number in range(200)]
    many = list(check.check_set(plain, {f"task{number}": "why" for number in range(11)}))
    return (
        (list(check.twins([fact, twin])), "they differ only in shape"),
        (few, "fewer than 120"),
        (few, "names gone, which is no task"),
        (few, "of 1 tasks, fewer than 40%"),
        (few, "of kind attention, fewer than 2"),
        (list(check.check_set([fact, fact], {})), "2 tasks have this name"),
        (list(check.check_set([{**fact, "kind": "magic"}], {})), "magic is no kind of task"),
        (many, "0% of the tasks have a GEMM"),
        (many, "11 of 200 tasks collapse"),
    )


def main():
    with_torch()
    sys.dont_write_bytecode = True
    import torch

    torch.set_num_threads(1)
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        fact, problems = complaints(folder, GOOD)
        failures += [f"the good task: {problem}" for problem in problems]
        for what, old, new, wanted in ROWS:
            if old not in GOOD:
                failures.append(f"{what}: the good task has no {old!r}")
                continue
            _, problems = complaints(folder, GOOD.replace(old, new), "faulty")
            if not any(wanted in problem for problem in problems):
                failures.append(f"{what}: no complaint has {wanted!r}: {problems}")
        larger, _ = complaints(folder, GOOD.replace("ROWS = 4000", "ROWS = 5000"), "larger")
        if not list(check.twins([fact, larger])):
            failures.append("the same task of another shape is not seen to be the same")
        other, _ = complaints(folder, GOOD.replace("torch.tanh", "torch.sin"), "other")
        if list(check.twins([fact, other])):
            failures.append("a task with another operator is taken for the same")
        for problems, wanted in set_faults(fact):
            if not any(wanted in problem for problem in problems):
                failures.append(f"the set: no complaint has {wanted!r}: {problems}")
    print("\n".join(failures) if failures else f"tasks: all {len(ROWS) + 11} faults are named.")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
