# SPDX-License-Identifier: GPL-3.0-or-later
"""What the judge's worker counts of a reference, on models whose FLOPs are known by hand; and products of rounded
operands.

Exit code 0: all right, 1: complaints, 77: no Python with torch was found (an error where REQUIRE_TOOLS=1).
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "tasks"), os.path.join(HERE, "..", "..", "toolchain", "referee", "worker")]
from torch_python import with_torch  # noqa: E402

with_torch()
import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402
import warpwright_facts  # noqa: E402
from warpwright_facts import measure  # noqa: E402
from warpwright_modes import rounded, rounded_products  # noqa: E402

complaints = 0


def expect(what, found, wanted):
    global complaints
    if found != wanted:
        complaints += 1
        print(f"{what}: {found}, wanted {wanted}")


class Call(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.forward = function


def facts(function, *sizes, dtype=torch.float32):
    with torch.no_grad():
        return measure(Call(function), [torch.randn(size, dtype=dtype) for size in sizes], __file__)[0]


query, shared = (2, 8, 16, 32), (2, 2, 24, 32)
product = facts(torch.matmul, (16, 32), (32, 8))
expect("a product", (product["matrixFlops"], product["hasProduct"]), (2 * 16 * 32 * 8, True))
expect("16 bits in it", product["halfMatrixFlops"], 0)
half = facts(lambda a, b, c: (a @ b).float() @ c.float(), (16, 32), (32, 8), (8, 4), dtype=torch.bfloat16)
expect("one of two in 16 bits", (half["matrixFlops"], half["halfMatrixFlops"]), (2 * 16 * 8 * (32 + 4), 2 * 16 * 32 * 8))
same = facts(F.scaled_dot_product_attention, query, (2, 8, 24, 32), (2, 8, 24, 32))
expect("attention", same["matrixFlops"], 2 * 2 * 8 * 16 * 24 * (32 + 32))
# torch's own counter refuses keys that several heads share, and with it the whole reference was refused.
grouped = facts(lambda q, k, v: F.scaled_dot_product_attention(q, k, v, enable_gqa=True), query, shared, shared)
expect("attention with shared keys", (grouped["matrixFlops"], grouped["hasProduct"]), (same["matrixFlops"], True))
# A library takes a whole layer as one operator.
layer = torch.nn.LSTM(16, 8, num_layers=2, bidirectional=True).eval()
weights = sum(weight.numel() for name, weight in layer.named_parameters() if name.startswith("weight"))
steps = facts(lambda x: layer(x)[0], (10, 3, 16))
expect("a recurrent layer", (steps["matrixFlops"], steps["hasProduct"]), (2 * 10 * 3 * weights, True))


# Ten bits of mantissa, to nearest and ties to even; what is no number stays.
odd = torch.tensor([1.0, 1 + 2**-11, 1 + 3 * 2**-11, -1 - 2**-10, float("inf"), float("nan")])
expect("rounded", rounded(odd, 10, False)[:5].tolist(), [1.0, 1.0, 1 + 2**-9, -1 - 2**-10, float("inf")])
expect("not a number", bool(rounded(odd, 10, False)[5].isnan()), True)
calls = {"a product": lambda q: q[0, 0] @ q[1, 0].T, "a convolution": lambda q: F.conv1d(q[0], q[1, :, :, :3]),
         "attention": lambda q: F.scaled_dot_product_attention(q, q, q, is_causal=True),
         "a recurrent layer": lambda q: recurrent(q[0, :3])[0], "one with cells": lambda q: cells(q[0, :3])[0]}
recurrent, cells = torch.nn.GRU(query[-1], 5), torch.nn.LSTM(query[-1], 5)
for what, call in calls.items():
    values = torch.randn(query)
    with torch.no_grad():
        exact = call(values)
        with rounded_products(10, False):
            near = call(values)
        error = float((near - exact).norm() / exact.norm())
        expect(f"{what} of rounded operands", 5e-5 < error < 2e-3, True)
        expect(f"{what} afterwards", torch.equal(call(values), exact), True)
        with rounded_products(10, False):
            expect("what multiplies element by element", torch.equal(values * values, values.square()), True)


def refuse(*_, **__):
    raise AssertionError("shapes are incompatible")


warpwright_facts.flop_registry = dict.fromkeys(warpwright_facts.flop_registry, refuse)
unknown = facts(torch.matmul, (16, 32), (32, 8))
expect("what nobody counts", (unknown["matrixFlops"], "FLOPs of mm are not counted" in unknown["method"]), (0, True))
sys.exit(1 if complaints else 0)
