# SPDX-License-Identifier: GPL-3.0-or-later
"""Sums of more elements than a float can count, far from zero, for check.py: a naive sum loses one in 16 million. And shorter
ones of the same kinds for the emulator; from a million elements a row on the texts are the same.
"""

MODEL = """
import torch
from torch import nn

class Model(nn.Module):
    def forward(self, x):
        {lines}

def get_inputs():
    return [torch.randn({shape}) * 0.5 + {offset}]

def get_init_inputs():
    return []
"""

KINDS = (
    ("whole_sum", "return x.sum(), x.mean(), (x * x).sum()", 3),
    ("sums_of_rows", "return x.view(4, -1).sum(1), x.view(-1, 4).mean(0)", 3),
    ("by_the_norm_of_all", "return x / torch.linalg.vector_norm(x)", 1),
    ("by_the_deviation_of_all", "return (x - x.mean()) / x.std()", 1000),
    ("largest_of_all", "return torch.softmax(x.flatten(), 0).view_as(x), torch.logsumexp(x.flatten(), 0)", 0),
    ("running_sum", "return x.flatten().cumsum(0)", 0.5),
)


def rows(side):
    return tuple((name, MODEL.format(lines=lines, shape=f"{side}, {side}", offset=offset)) for name, lines, offset in KINDS)


ROWS = rows(8192)  # 2 ** 26 elements
SHORTER = rows(1040)
