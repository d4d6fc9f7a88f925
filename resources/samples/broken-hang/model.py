# SPDX-License-Identifier: GPL-3.0-or-later
"""Divide a whole vector by its length, as in clipping a gradient."""

import torch
from torch import nn

COUNT = 700_000


class Model(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x / torch.sqrt((x * x).sum())


def get_inputs():
    return [torch.randn(COUNT)]


def get_init_inputs():
    return []
