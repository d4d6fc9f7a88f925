#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Inputs that only a CPU can make: what toolchain/referee/worker/warpwright_draws.py makes of one set of them."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/tasks"), str(ROOT / "toolchain/referee/worker")]
from torch_python import with_torch  # noqa: E402

with_torch()
import torch  # noqa: E402
import warpwright_draws as draws  # noqa: E402

draws.LEAST_BYTES = 1 << 10
failed = 0


def expect(holds, what):
    global failed
    if not holds:
        failed += 1
        print("FAIL:", what)


for shape in [(100, 7), (4, 3, 50, 20), (5000,), (2, 1000), (3, 5, 1), (1,)]:
    places = torch.arange(torch.Size(shape).numel(), dtype=torch.float32).view(shape)
    values = torch.randperm(places.numel()).float().view(shape)
    draw = draws.CpuDraw([values, places, 3], torch.device("cpu"))
    first, second, again = draw.another(5), draw.another(None), draw.another(5)
    expect(first[0].shape == values.shape and first[2] == 3, f"{shape}: the form stays")
    expect(torch.equal(first[0], again[0]), f"{shape}: a seed makes one set")
    expect(values.numel() < 10 or not torch.equal(first[0], second[0]), f"{shape}: the next set is another one")
    place = {value.item(): index for index, value in enumerate(values.flatten())}
    expect(all(place[value.item()] == index.item() for value, index in zip(first[0].flatten(), first[1].flatten())),
           f"{shape}: tensors with as many rows take the same ones")
    rows, rest = draws.rows_of(values)
    expect(rows.numel() + rest.numel() == values.numel(), f"{shape}: nothing is lost")
# A sum over all of them moves as it does from draw to draw.
wide = torch.randn(4096, 16)
sums = torch.tensor([draws.CpuDraw([wide], torch.device("cpu")).another(seed)[0].sum().item() for seed in range(200)])
expect(0.8 < sums.std().item() / (wide.numel() ** 0.5) < 1.2, f"sums of new sets scatter as sums of draws do: {sums.std()}")

expect(draws.CpuDraw.serves([torch.randn(400), 2]), "plain floats")
expect(not draws.CpuDraw.serves([torch.randn(400), torch.arange(9)]), "whole numbers are drawn anew")
expect(not draws.CpuDraw.serves([torch.randn(40)]), "small ones are drawn anew")
expect(not draws.CpuDraw.serves([torch.randn(40, 20).t()]), "strides stay get_inputs()'s")
expect(draws.may_serve_on_cpu(RuntimeError("no generator on cuda")), "an error that is not about memory")
expect(draws.may_serve_on_cpu(RuntimeError("CUDA out of memory. Tried to allocate 1 MiB.")), "what the system has room for")
expect(not draws.may_serve_on_cpu(RuntimeError("CUDA out of memory. Tried to allocate 1099511627776 MiB.")), "what nobody has room for")
sys.exit(1 if failed else 0)
