# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets torch.compile write the kernel."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, columns: int):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(columns))
        self.shift = nn.Parameter(torch.zeros(columns))
        self.compiled = torch.compile(lambda a, b, c: torch.nn.functional.silu(a * b + c))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.compiled(x, self.scale, self.shift)
