#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each part of a task by itself: what toolchain/referee/worker/warpwright_parts.py finds of some models."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/tasks"), str(ROOT / "toolchain/referee/worker")]
from torch_python import with_torch  # noqa: E402

with_torch()
import torch  # noqa: E402
from torch import nn  # noqa: E402
from warpwright_parts import Look  # noqa: E402
from warpwright_state import alter_few, redraw  # noqa: E402

torch.manual_seed(1)
failed = 0
NOTHING = {"factors": [], "inputFactors": [], "constants": [], "untold": [], "alike": [], "isFaint": False, "unasked": 0}


class Function(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.forward = function


class Block(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.inner, self.gamma = nn.Linear(64, 64), nn.Parameter(torch.full((64,), scale))

    def forward(self, x):
        return x + self.gamma * self.inner(x)


def check(name, found, expected):
    global failed
    if found != expected:
        failed += 1
        print(f"FAIL: {name}: {found}, expected {expected}")


def row(name, model, draw, **expected):
    model.double()

    def call(arguments):
        return model(*[value.double() if value.is_floating_point() else value for value in arguments])

    before = {key: value.clone() for key, value in model.state_dict().items()}
    told = Look(model, call, draw(), draw, 2e-6, 200).told()
    after = model.state_dict()
    check(name, all(torch.equal(before[key], after[key]) for key in before), True)
    told["factors"], told["inputFactors"] = sorted(told["factors"]), sorted(told["inputFactors"])
    told["untold"] = [part for part, _ in told["untold"]]
    check(name, told, NOTHING | expected)


def some():
    return torch.randn(32, 64)


row("a branch with weight", Block(1.0), lambda: [some()])
row("a branch with none", Block(1e-6), lambda: [some()], factors=["gamma"])
row("two of them", nn.Sequential(Block(1e-6), Block(1e-6)), lambda: [some()], factors=["0.gamma", "1.gamma"])
row("a faint input", Function(lambda x, y: x + 1e-7 * y), lambda: [some(), some()], inputFactors=["1"])
row("nothing depends on it", Function(lambda x, y: x + (y - y)), lambda: [some(), some()])
row("one input twice", Function(lambda x, y: x * y), lambda: [(one := some()), one.clone()], alike=[["x", "y"]])
row("no input matters", Function(lambda x: 1 + 1e-9 * x), lambda: [some()], isFaint=True)
row("a mask of ones", Function(lambda x, m: x.masked_fill(~m, 0)), lambda: [some(), torch.ones(32, 64).bool()], constants=[1])
row("a causal mask", Function(lambda x, m: x.masked_fill(~m, 0)), lambda: [some(), torch.ones(32, 64).tril().bool()], constants=[1])
row("full lengths", Function(lambda x, n: x * (torch.arange(64) < n[:, None])), lambda: [some(), torch.full((32,), 64)], constants=[1])
row("factors of one", Function(lambda x, s: x * s), lambda: [some(), torch.ones(64)], constants=[1])
row("places, one of two", Function(lambda x, i: x * i[:, None].add(1)), lambda: [some(), torch.zeros(32).long()], constants=[1])
table = torch.randn(1, 64)
row("the only place", Function(lambda x, i: x + table[i]), lambda: [some(), torch.zeros(32).long()])

model = nn.Sequential(nn.Linear(64, 64), nn.LayerNorm(64))
before = [tensor.clone() for tensor in model.parameters()]
alter_few(model, 3)
check("few are altered", [int((one != other).sum()) for one, other in zip(before, model.parameters())], [16, 0, 0, 0])


class Counted(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("gain", torch.ones(64))
        self.register_buffer("table", torch.arange(64.0))
        self.register_buffer("passing", torch.ones(64), persistent=False)


model = Counted()
redraw(model, 1)
first = model.gain.clone()
redraw(model, 2)
check("an even buffer is drawn each time", bool((first != model.gain).all() and (first != 1).all()), True)
check("a table stays", torch.equal(model.table, torch.arange(64.0)), True)
check("what no arm is handed stays", bool((model.passing == 1).all()), True)

sys.exit(failed > 0)
