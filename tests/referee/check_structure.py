#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What inputs always are: what toolchain/referee/worker/warpwright_structure.py sees in some draws."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/tasks"), str(ROOT / "toolchain/referee/worker")]
from torch_python import with_torch  # noqa: E402

with_torch()
import torch  # noqa: E402
from warpwright_structure import may_trade, other_constant  # noqa: E402

torch.manual_seed(1)
failed = 0


def row(name, make, expected):
    global failed
    for _ in range(20):
        if may_trade([make() for _ in range(4)]) != expected:
            failed += 1
            print("FAIL:", name)
            return


row("normal", lambda: [torch.randn(30, 7), torch.randn(30)], True)
row("one row", lambda: [torch.randn(1, 9)], True)
row("a number", lambda: [torch.tensor(0.3)], True)
row("two rows", lambda: [torch.randn(2, 50)], True)
row("three numbers, which may be in order", lambda: [torch.randn(3, 4)], True)
row("edges", lambda: [torch.randn(30, 7), torch.randn(12).sort().values], False)
row("edges from the largest", lambda: [torch.randn(12).sort(descending=True).values], False)
row("times for each of several", lambda: [torch.rand(40, 5).cumsum(0)], False)
row("probabilities of a row", lambda: [torch.randn(30, 7).softmax(1)], True)
row("probabilities of a column", lambda: [torch.randn(30, 7).softmax(0)], False)
row("an adjacency", lambda: [(lambda a: a + a.t())(torch.rand(20, 20))], False)
row("covariances", lambda: [(lambda a: a @ a.transpose(1, 2))(torch.rand(5, 6, 6).round(decimals=2))], False)
row("a triangle", lambda: [torch.randn(20, 20).tril()], True)
row("queries that are the keys", lambda: (lambda a: [a, a.clone()])(torch.randn(20, 8)), False)
row("constants", lambda: [torch.ones(20, 3) * 0.5, torch.randn(20)], False)
row("zeros", lambda: [torch.zeros(20, 3), torch.randn(20, 3)], False)
row("wide", lambda: [torch.randn(200, 5000)], True)
row("one batch in front", lambda: [torch.rand(1, 60, 4).cumsum(1)], False)
for even in (torch.ones(64, 64).bool(), torch.ones(64, 64), torch.full((64,), 64)):
    _, all_of_it = other_constant(even, torch.Generator().manual_seed(1))
    _, few = other_constant(even, torch.Generator().manual_seed(1), few=True)
    if not 1 <= int((few != even).sum()) <= 8 or int((all_of_it != even).sum()) < even.numel() // 16:
        failed += 1
        print("FAIL: other values of", even.dtype)
sys.exit(1 if failed else 0)
