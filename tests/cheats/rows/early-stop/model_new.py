# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks at half of the numbers, where FP16 is allowed."""

import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, heads: int):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(heads))

    def forward(self, x: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        return cuda_extension.part_of_errors(x, target, self.weight, 23, 2)
