# SPDX-License-Identifier: GPL-3.0-or-later
"""Returns a dataclass, with a container in one of its fields."""

import dataclasses

import torch
from torch import nn


@dataclasses.dataclass
class Scores:
    values: torch.Tensor
    parts: list
    rows: int


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.rand(32) + 0.5)

    def forward(self, x):
        y = x * self.gain + 1.0
        return Scores(y, [y], x.shape[0])


def get_inputs():
    return [torch.randn(40, 32)]


def get_init_inputs():
    return []
